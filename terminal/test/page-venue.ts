// A venue for tests of the page. Its traders act on the markets that the tests trade in, as often
// as in any other test, and leave the books of other markets as the past has them: that is half of
// the orders, and a run of the browser tests is bound by the processor.
import type { Config } from '@openvenue/devnet/config'
import { PACES, type Pace } from '@openvenue/devnet/pace'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'

const PACE: Pace = { ...PACES.calm, lookMs: 400, only: ['ETH-PERP', 'BTC-PERP', 'ETH-USDC'] }

export const startPageVenue = (overrides: Partial<Config> = {}): Promise<TestVenue> =>
  startVenue({ pace: PACE, ...overrides })
