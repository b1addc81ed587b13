// Measures reads of the second host against a plain node:http server that sends the same bytes.
import { measureReads } from './rest.ts'
import { poolAddress } from './scenario.ts'
import type { Section } from './table.ts'
import type { VersusOptions } from './versus.ts'

/** Enough pools for three pages of the maximum size and many of the usual one. */
const POOLS = 300

const PATHS = [
  '/api/markets/earn-markets',
  '/api/markets/earn-markets?limit=10&sort=volume24h&type=clmm',
  '/api/markets/new-markets?limit=10',
  '/api/clob/pools/ETH-USDC',
  `/api/clob/pools/${poolAddress(1)}`,
  '/api/clob/info',
] as const

/** Measures the endpoints of the second host. */
export const measureIntegrated = (
  options: VersusOptions,
  limits: 'limited' | 'unlimited',
): Promise<Section> =>
  measureReads(options, {
    title: `Second host, ${POOLS} pools (${limits})`,
    server: { file: './integrated-server.ts', args: [String(POOLS), limits] },
    paths: PATHS,
  })
