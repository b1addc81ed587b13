// Sends JSON-RPC requests to a chain node: a handful of methods need no library.
import { type Address, type GasFees, type Hex, offerFees } from 'openvenue/signing'
import * as text from '../text.ts'

/** An EIP-1193 request function, of a node or of a wallet. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>

const POLL_MS = 250
/** Time after which a silent node counts as unresponsive. */
const ANSWER_MS_MAX = 10_000
/** Time within which a transaction must be included. */
const INCLUDED_MS_MAX = 60_000
const BALANCE_OF = '0x70a08231'
const WORD_DIGITS = 64

type RpcAnswer = Readonly<{ result?: unknown; error?: Readonly<{ message: string }> }>

/** Returns the request function of the node at a URL. */
export function nodeAt(url: string): Request {
  let id = 0
  return async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(ANSWER_MS_MAX)
    const answer = await fetch(url, { method: 'POST', headers, body, signal })
      .then((response) => response.json() as Promise<RpcAnswer>)
      .catch(() => undefined)
    if (answer === undefined) throw new Error(text.nodeDown)
    const { result, error } = answer
    if (error !== undefined) throw new Error(text.chainRefuses(error.message))
    return result
  }
}

/** Waits until a transaction is in a block, and returns its number. Throws if it reverted. */
export async function included(request: Request, hash: Hex): Promise<number> {
  const deadlineMs = performance.now() + INCLUDED_MS_MAX
  while (performance.now() < deadlineMs) {
    const answer = await request('eth_getTransactionReceipt', [hash])
    const receipt = answer as Readonly<{ status: Hex; blockNumber: Hex }> | null
    if (receipt?.status === '0x1') return Number(receipt.blockNumber)
    if (receipt !== null) throw new Error(text.txReverted(hash))
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(text.txPending(hash))
}

/** Returns a wallet's balance of a token, in raw units. */
export async function tokenBalance(
  request: Request,
  token: Address,
  owner: Address,
): Promise<bigint> {
  const data = `${BALANCE_OF}${wordOfAddress(owner)}` as Hex
  return BigInt((await request('eth_call', [{ to: token, data }, 'latest'])) as Hex)
}

type FeeTerms = Parameters<typeof offerFees>[1]

/** Returns gas fees computed from the newest block: gas prices suggested by nodes may be wrong. */
export async function feesNow(request: Request, terms: FeeTerms): Promise<GasFees> {
  const block = await request('eth_getBlockByNumber', ['latest', false])
  const { baseFeePerGas = '0x0' } = (block ?? {}) as Readonly<{ baseFeePerGas?: string }>
  return offerFees(BigInt(baseFeePerGas), terms)
}

/** Returns the number of the block after the newest one. */
export const nextBlock = async (request: Request): Promise<number> =>
  Number((await request('eth_blockNumber', [])) as Hex) + 1

/** Waits until all transactions of a wallet are included; throws if that takes too long. */
export async function settled(request: Request, owner: Address): Promise<void> {
  const count = async (block: string) =>
    Number((await request('eth_getTransactionCount', [owner, block])) as Hex)
  const deadlineMs = performance.now() + INCLUDED_MS_MAX
  while (performance.now() < deadlineMs) {
    if ((await count('pending')) <= (await count('latest'))) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error(text.otherTxPending)
}

/** Returns an address as one word of calldata or a topic, without 0x. */
export const wordOfAddress = (address: Address): string =>
  address.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
