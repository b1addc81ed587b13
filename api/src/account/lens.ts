// What an account is worth at a perpetual engine, as the chain itself says: `Lens.perpAccount`.
import type { EthCall } from './deps.ts'

/** First four bytes of the hash of `perpAccount(address,uint40)`. */
export const PERP_ACCOUNT_SELECTOR = '0x0f83b7a2'

/** `Lens.PerpAccount`: 18 decimals. */
export type PerpAccount = Readonly<{
  collateral: bigint
  equity: bigint
  initialMargin: bigint
  maintenanceMargin: bigint
  /** Equity above initial margin, at least 0. */
  available: bigint
  withdrawable: bigint
}>

export type PerpAccountOf = Readonly<{ engine: string; account: number }>

/** Six words of 32 bytes. */
const ANSWER = /^0x[0-9a-fA-F]{384}$/
const WORD_DIGITS = 64

/** Returns the data of a call of `perpAccount(engine, account)`: the selector and two words. */
export const perpAccountCall = ({ engine, account }: PerpAccountOf): string =>
  PERP_ACCOUNT_SELECTOR + wordOf(engine.slice(2)) + wordOf(account.toString(16))

/** Returns what `perpAccount` answered. Throws when it is not six words. */
export function decodePerpAccount(answer: string): PerpAccount {
  if (!ANSWER.test(answer)) throw new Error('Lens.perpAccount answers six words')
  const word = (at: number) =>
    BigInt(`0x${answer.slice(2 + at * WORD_DIGITS, 2 + (at + 1) * WORD_DIGITS)}`)
  const signed = (at: number) => BigInt.asIntN(256, word(at))
  return {
    collateral: signed(0),
    equity: signed(1),
    initialMargin: word(2),
    maintenanceMargin: word(3),
    available: word(4),
    withdrawable: word(5),
  }
}

/** Where the lens stands and through which door it is asked, at which block. */
export type LensAt = Readonly<{ call: EthCall; lens: string; blockHash: string }>

/** Reads an account of an engine. Throws when the node does not answer, or the call reverts. */
export const readPerpAccount = async (
  { call, lens, blockHash }: LensAt,
  of: PerpAccountOf,
): Promise<PerpAccount> =>
  decodePerpAccount(await call({ to: lens, data: perpAccountCall(of) }, blockHash))

const wordOf = (digits: string) => digits.padStart(WORD_DIGITS, '0')
