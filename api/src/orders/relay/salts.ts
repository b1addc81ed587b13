// Finds the order that spends a salt, in memory and at the engine.
import { marketEngine } from '@openvenue/core/ids'
import type { Intent } from '@openvenue/store/intents/intents'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import type { EthCall } from '../../identity/eth-call.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { isHeldBack } from '../rules/order-checks.ts'
import { problem } from '../rules/order-rules.ts'
import { encodeMulticall, encodeSaltsOf, wordsOf } from '../rules/signed-order.ts'

/** A salt of an account. Each engine counts them apart. */
export type SaltOf = Readonly<{ account: number; market: string; salt: string }>

export class SaltIndex {
  /** Ids by salt: several where nodes accepted one each at the same time. */
  readonly #ids = new Map<string, readonly string[]>()

  /** Returns the id of an order, other than `except`, that spends the salt. */
  find(of: SaltOf, except?: string): string | undefined {
    return this.#ids.get(keyOf(of))?.find((id) => id !== except)
  }

  put(intent: Intent): void {
    const key = spentBy(intent)
    if (key !== undefined) this.#ids.set(key, [...(this.#ids.get(key) ?? []), intent.id])
  }

  remove(intent: Intent): void {
    const key = spentBy(intent)
    if (key === undefined) return
    const left = this.#ids.get(key)?.filter((id) => id !== intent.id) ?? []
    if (left.length === 0) this.#ids.delete(key)
    else this.#ids.set(key, left)
  }

  clear(): void {
    this.#ids.clear()
  }
}

/** Held orders share a salt: the first of them spends it. */
const spentBy = ({ account, market, payload, state }: Intent): string | undefined =>
  payload.kind === 'order' && state !== 'received'
    ? keyOf({ account, market, salt: payload.order.salt })
    : undefined

const keyOf = ({ account, market, salt }: SaltOf): string =>
  `${account} ${marketEngine(market)} ${salt}`

const CODE = 'ORDER_INVALID_SALT'

/** The part of the intent book that knows the orders with a salt. */
export type SaltBook = Readonly<{
  spenderOf: (of: SaltOf, except?: string) => string | undefined
  endedWith: (account: number, is: (intent: Intent) => boolean) => Intent | undefined
}>

/** Returns what is wrong with a salt that another order brings to the chain. Held ones share it. */
export function saltProblems(
  intentBook: SaltBook,
  account: number | undefined,
  parsed: ParsedOrder,
): readonly FieldError[] {
  if (account === undefined || isHeldBack(parsed)) return []
  const { order, market, takesPlaceOf } = parsed
  const salt = { account, market: market.id, salt: order.salt.toString() }
  const id = intentBook.spenderOf(salt, takesPlaceOf)
  return id === undefined ? [] : [saltSpent(id)]
}

/** Adds the order that spent a salt, where the chain has refused the salt only. */
export function nameSpender(
  intentBook: SaltBook,
  account: number | undefined,
  parsed: ParsedOrder,
  error: FieldError,
): FieldError {
  if (error.code !== CODE || account === undefined) return error
  const spender = intentBook.endedWith(account, hasSaltOf(parsed))
  return spender === undefined ? error : saltSpent(spender.id)
}

/** Each engine counts the salts of an account apart. */
function hasSaltOf({ order, market }: ParsedOrder): (intent: Intent) => boolean {
  const [salt, engine] = [order.salt.toString(), marketEngine(market.id)]
  return ({ payload, market: other }) =>
    payload.kind === 'order' && payload.order.salt === salt && marketEngine(other) === engine
}

const saltSpent = (order_id: string): FieldError =>
  problem(CODE, ['salt', 'salt is that of no other order'], { facts: { order_id } })

/** Returns those of `salts` that the account has spent at `engine`, at its newest block. */
export type FindSpentSalts = (
  engine: string,
  account: number,
  salts: readonly bigint[],
) => Promise<ReadonlySet<bigint>>

const RETRY_MS = 1_000
const BITS = 256n
/** Head of the answer: the place of the list, and its length. */
const HEAD_WORDS = 2
/** An item has a place, and later a length and a value. */
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
