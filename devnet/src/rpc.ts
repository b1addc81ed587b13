// JSON-RPC to the local chain.
import { nodeAt, type RpcNode } from '@openvenue/runtime/node'

/** Maximum calls per request; larger ones would delay anvil for all other clients. */
export const BATCH_CALLS_MAX = 200
const TIMEOUT_MS = 30_000
/** A dump of the chain is one answer of any size: this only bounds a mistake. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024

/** A chain accessed over HTTP. */
export type ChainRpc = RpcNode & Readonly<{ url: string }>

export const rpcAt = (url: string): ChainRpc => ({
  url,
  ...nodeAt([url], {
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
    callsMax: BATCH_CALLS_MAX,
  }),
})

/** Returns the random number that identifies the anvil at `url`; undefined when none answers. */
export const readInstance = (url: string): Promise<string | undefined> =>
  rpcAt(url)
    .call('anvil_metadata')
    .then(instanceIn)
    .catch(() => undefined)

/** Returns the number in an answer to `anvil_metadata`. */
export const instanceIn = (metadata: unknown): string | undefined =>
  (metadata as Readonly<{ instanceId?: string }> | null)?.instanceId
