// Speaks JSON-RPC to the local chain where each call of a batch may fail by itself.
import { invariant } from '@openvenue/core/assert'
import { connectNode, type RpcCall, type RpcReply } from '@openvenue/store/json-rpc'

export type { RpcCall }

/** The answer to one call of a batch: its result, or why the node refused it. */
export type Answer = Readonly<{ result: unknown } | { refused: string }>

/** Calls in one request; more than this and anvil answers late for everyone else. */
export const BATCH_CALLS_MAX = 200
const TIMEOUT_MS = 30_000
/** The state of the whole chain is one answer, whatever its size: this only bounds a mistake. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024

/** A chain that is asked over HTTP. */
export type ChainRpc = Readonly<{
  url: string
  /** Sends `calls` in as few requests as may be; answers are in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<readonly Answer[]>
  /** Returns the result of one call; throws `CallRefused` when the node refuses it. */
  call(method: string, ...params: readonly unknown[]): Promise<unknown>
}>

/** The node answered, and its answer is no. */
export class CallRefused extends Error {
  override name = 'CallRefused'
}

export function rpcAt(url: string): ChainRpc {
  const options = { url, timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX, isListAlways: true }
  const { ask } = connectNode(options)
  const batch = async (calls: readonly RpcCall[]) => {
    const answers: Answer[] = []
    for (let start = 0; start < calls.length; start += BATCH_CALLS_MAX) {
      const { replies } = await ask(calls.slice(start, start + BATCH_CALLS_MAX))
      answers.push(...replies.map(toAnswer))
    }
    return answers
  }
  return {
    url,
    batch,
    call: async (method, ...params) => requireResult(await batch([{ method, params }]), method),
  }
}

const toAnswer = ({ result, error }: RpcReply): Answer =>
  error === undefined
    ? { result }
    : { refused: [error.message, error.data].filter(Boolean).join(' ') }

function requireResult([answer]: readonly Answer[], method: string): unknown {
  invariant(answer !== undefined, 'the node answers every call', { method })
  if ('refused' in answer) throw new CallRefused(`${method}: ${answer.refused}`)
  return answer.result
}

export const quantity = (value: number | bigint) => `0x${value.toString(16)}`

/**
 * Returns the random number by which the anvil at `url` distinguishes itself from every other;
 * undefined when none answers.
 */
export const readInstance = (url: string): Promise<string | undefined> =>
  rpcAt(url)
    .call('anvil_metadata')
    .then(instanceIn)
    .catch(() => undefined)

/** Returns the number in an answer to `anvil_metadata`. */
export const instanceIn = (metadata: unknown): string | undefined =>
  (metadata as Readonly<{ instanceId?: string }> | null)?.instanceId
