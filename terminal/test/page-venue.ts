// A venue for tests of the page. Its traders use only the markets of the tests, at the usual rate.
// That is half of the usual orders, and a run of the browser tests is limited by the processor.
import type { DevnetConfig } from '@openvenue/devnet/config'
import { PACES, type Pace } from '@openvenue/devnet/pace'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'

const PACE: Pace = { ...PACES.calm, lookMs: 400, only: ['ETH-PERP', 'BTC-PERP', 'ETH-USDC'] }

export const startPageVenue = (overrides: Partial<DevnetConfig> = {}): Promise<TestVenue> =>
  startVenue({ pace: PACE, ...overrides })
