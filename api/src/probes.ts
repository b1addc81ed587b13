// Asks the three dependencies whether they answer. Errors are fixed words, never a text that could
// hold an address or a password.

/** Section 2.12. */
export type Check = Readonly<{ ok: boolean; error?: string }>
export type RpcCheck = Check & Readonly<{ head?: number }>
/** `unknown`: the indexer has no readiness endpoint, it was only reached. */
export type IndexerCheck = Check & Readonly<{ lag?: number | 'unknown' }>

export type Probes = Readonly<{
  redis: () => Promise<Check>
  rpc: () => Promise<RpcCheck>
  indexer: () => Promise<IndexerCheck>
}>
