// The parts available to routes of the second host.

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

type IntegratedSettings = Readonly<{
  chainId: number
  trading: Trading
  /** Age up to which a pool counts as new. */
  newMarketsWindowSeconds: number
}>

/** Everything available to a route of the second host. Each route takes the parts that it names. */
export type RouteParts = IntegratedDeps & Readonly<{ board: PoolBoard }>

export type Parts<K extends keyof RouteParts> = Pick<RouteParts, K>

/** Adds a group of routes that need the parts `K`. */
export type Routes<K extends keyof RouteParts> = (host: Host, parts: Parts<K>) => void

/** Groups of the documentation, in their order. */
export const TAGS = {
  service: ['Service'],
  markets: ['Markets'],
  clob: ['Order books'],
} as const satisfies Record<string, string[]>
