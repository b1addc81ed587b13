// The parts that routes of the second host can be given.

import type { Trading } from '@openvenue/wire/trading'
import type { Host } from '../http/host-type.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ServiceDeps } from '../rest/readiness.ts'
import type { PoolBoard } from './pool-board.ts'
import type { TokenNames } from './token-names.ts'

export type IntegratedDeps = ServiceDeps &
  Readonly<{
    model: VenueModel
    names: TokenNames
    settings: IntegratedSettings
  }>

export type IntegratedSettings = Readonly<{
  chainId: number
  trading: Trading
  /** How long a pool counts as new. */
  newMarketsWindowSeconds: number
}>

/** Everything that a route of the second host can be given. Each takes the parts that it names. */
export type RouteParts = IntegratedDeps & Readonly<{ board: PoolBoard }>

export type Parts<K extends keyof RouteParts> = Pick<RouteParts, K>

/** Adds a group of routes, which stand on the parts `K`. */
export type Routes<K extends keyof RouteParts> = (host: Host, parts: Parts<K>) => void

/** Groups of its documentation, in their order. */
export const TAGS = {
  service: ['Service'],
  markets: ['Markets'],
  clob: ['Order books'],
} as const satisfies Record<string, string[]>
