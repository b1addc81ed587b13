// What the routes of the second host stand on.

import type { Host } from '../http/host-type.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { ServiceDeps } from '../node/readiness.ts'
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
  /** How long a pool counts as new. */
  newMarketsWindowSeconds: number
}>

export type RouteDeps = IntegratedDeps & Readonly<{ board: PoolBoard }>

/** A group of routes of the second host. */
export type Routes = (host: Host, deps: RouteDeps) => void

/** Groups of its documentation, in their order. */
export const TAGS = {
  service: ['Service'],
  markets: ['Markets'],
  clob: ['Order books'],
} as const satisfies Record<string, string[]>
