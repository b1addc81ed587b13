// Scopes of API keys. A key has at least one.

/** In the order of display: read private data, place orders, cancel orders. */
export const SCOPES = ['read', 'trade', 'cancel'] as const
export type Scope = (typeof SCOPES)[number]

/** Returns the first required scope that is not granted; undefined if all are. */
export const missingScope = (
  required: readonly Scope[],
  granted: readonly Scope[],
): Scope | undefined => required.find((scope) => !granted.includes(scope))
