// eth_call over HTTP: reads of contracts that no log tells.
import { inTurn } from '@openvenue/store/in-turn'

/**
 * Runs `eth_call` of `data` on `to` (absent: code that is not deployed) at the block of that hash,
 * `latest` by default (with at most `gas`, hex; absent: what the node gives), and returns the bytes
 * as hex. Throws `CallReverted` when the contract ends the call, another error when the node does
 * not answer.
 */
export type EthCall = (
  call: Readonly<{ to?: string; data: string; gas?: string }>,
  blockHash?: string,
) => Promise<string>

/** A node that takes longer does not answer. */
const CALL_MS_MAX = 2000
/**
 * A longer answer is none: what code of strangers returns, or reverts with, is as long as they
 * like.
 */
const ANSWER_BYTES_MAX = 1024 * 1024

/** The call ran, and the contract ended it. */
export class CallReverted extends Error {
  override name = 'CallReverted'
  /** What the contract said, hex; undefined where the node does not tell. */
  readonly data: string | undefined

  constructor(message: string, data?: string) {
    super(message)
    this.data = data
  }
}

/**
 * Returns a caller of the nodes at `rpcUrls`, the next where one fails or does not know the block.
 * Each fails when no answer has come after `msMax`.
 */
export function createEthCall(rpcUrls: readonly string[], msMax = CALL_MS_MAX): EthCall {
  const nodes = inTurn(rpcUrls.map((url) => callerAt(url, msMax)))
  return (call, blockHash) =>
    nodes(
      (node) => node(call, blockHash),
      (error) => error instanceof CallReverted,
    )
}

const callerAt =
  (rpcUrl: string, msMax: number): EthCall =>
  async (call, blockHash) => {
    // EIP-1898: after a reorg, another block has the same number.
    const block = blockHash === undefined ? 'latest' : { blockHash }
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, block] }),
      signal: AbortSignal.timeout(msMax),
    })
    const { result, error } = JSON.parse(await readText(response)) as Answer
    if (typeof result === 'string') return result
    const message = `eth_call failed: ${JSON.stringify(error ?? null)}`
    if (!isRevert(error)) throw new Error(message)
    throw new CallReverted(message, typeof error?.data === 'string' ? error.data : undefined)
  }

/** Returns the body; throws once it is too long, and reads no further. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX)
      throw new Error(`eth_call answers with more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

type Answer = Readonly<{
  result?: unknown
  error?: Readonly<{ code?: number; message?: string; data?: unknown }>
}>

/**
 * Nodes agree on the code of a revert with data; of other ends of a call they only tell in words.
 */
const isRevert = (error: Answer['error']) =>
  error?.code === 3 ||
  /revert|out of gas|invalid (opcode|jump)|stack (under|over)flow/i.test(error?.message ?? '')
