// Asks a node of the chain, in batches.

/** Requests of one HTTP request. */
const BATCH_MAX = 100
const TIMEOUT_MS = 30_000

type Ask = Readonly<{ method: string; params: readonly unknown[] }>
export type Rpc = (asks: readonly Ask[]) => Promise<readonly unknown[]>

/** Returns what asks the node at `url`, in batches. */
export function createRpc(url: string): Rpc {
  const post = async (asks: readonly Ask[]) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(asks.map((ask, id) => ({ jsonrpc: '2.0', id, ...ask }))),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const results = (await answer.json()) as { id: number; result?: unknown; error?: unknown }[]
    return asks.map((ask, id) => {
      const found = results.find((result) => result.id === id)
      if (found?.result === undefined)
        throw new Error(`the node answers ${ask.method} (${JSON.stringify(found?.error)})`)
      return found.result
    })
  }
  return async (asks) => {
    const results: unknown[] = []
    for (let at = 0; at < asks.length; at += BATCH_MAX)
      results.push(...(await post(asks.slice(at, at + BATCH_MAX))))
    return results
  }
}
