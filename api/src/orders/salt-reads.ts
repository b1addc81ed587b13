// Asks an engine which salts of an account are spent: one call for all that are asked about.
import { Refusal } from '../http/refusals.ts'
import type { EthCall } from '../identity/eth-call.ts'
import { encodeMulticall, encodeSaltsOf, wordsOf } from './engine-calls.ts'

/** Returns those of `salts` that the account has spent at `engine`, at its newest block. */
export type FindSpentSalts = (
  engine: string,
  account: number,
  salts: readonly bigint[],
) => Promise<ReadonlySet<bigint>>

const RETRY_MS = 1_000
const BITS = 256n
/** Of the answer: where the list is, and how long it is. */
const HEAD_WORDS = 2
/** Of an item: its place, its length, and itself. */
const [PLACE_WORDS, ITEM_WORDS] = [1, 2]

export const createSaltReads =
  (call: EthCall): FindSpentSalts =>
  async (engine, account, salts) => {
    const reads = salts.map((salt) => encodeSaltsOf(account, salt / BITS))
    const answer = await call({ to: engine, data: encodeMulticall(reads) }).catch(unavailable)
    const words = wordsOf(answer) ?? []
    const size = HEAD_WORDS + salts.length * (PLACE_WORDS + ITEM_WORDS)
    if (words.length !== size) return unavailable()
    const first = HEAD_WORDS + salts.length * PLACE_WORDS
    const isSpent = (salt: bigint, at: number) =>
      (((words[first + at * ITEM_WORDS + 1] ?? 0n) >> (salt % BITS)) & 1n) === 1n
    return new Set(salts.filter(isSpent))
  }

function unavailable(cause?: unknown): never {
  throw new Refusal('CHAIN_UNAVAILABLE', { cause, retryAfterMs: RETRY_MS })
}
