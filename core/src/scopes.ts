// Names what an API key may be used for. A key has one or more of them.

/** In the order in which they are listed: reading what is private, placing orders, ending them. */
export const SCOPES = ['read', 'trade', 'cancel'] as const
export type Scope = (typeof SCOPES)[number]

/** Returns the first of `wanted` that is not among `held`; undefined: there is none. */
export const missingScope = (wanted: readonly Scope[], held: readonly Scope[]): Scope | undefined =>
  wanted.find((scope) => !held.includes(scope))
