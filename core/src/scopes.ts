// Scopes of API keys. A key has at least one.

/** In the order of display: read private data, place orders, cancel orders. */
export const SCOPES = ['read', 'trade', 'cancel'] as const
export type Scope = (typeof SCOPES)[number]

/** Returns the first of `wanted` that is missing from `held`; undefined if none is. */
export const missingScope = (wanted: readonly Scope[], held: readonly Scope[]): Scope | undefined =>
  wanted.find((scope) => !held.includes(scope))
