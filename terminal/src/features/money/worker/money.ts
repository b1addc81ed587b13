// Reads amounts of money and describes calls. The description uses the encoded amount, which is
// what the wallet shows, not the typed text.
import { fromRaw, toRaw } from 'openvenue'
import { type Address, type Money, type SigningVenue, withdrawCall } from 'openvenue/signing'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { MoneyForm } from '../../account/account-protocol.ts'
import { type CallSummary, callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'

/** Returns the raw amount for the contracts. Throws if the token or the engine does not exist. */
export function readMoney(venue: SigningVenue, form: MoneyForm): Money {
  const engine = venue.contracts[form.engine]
  if (engine === undefined) throw new Error(`this venue has no engine ${form.engine}`)
  const token = tokenOf(venue, form.symbol)
  const typed = form.amount.replaceAll(/[,\s]/g, '')
  if (!/^\d+(\.\d+)?$/.test(typed)) throw new Error(text.notAnAmount(form.amount))
  const digits = typed.split('.')[1]?.replace(/0+$/, '').length ?? 0
  if (digits > token.decimals)
    throw new Error(text.tooManyDecimals(form.symbol, token.decimals, digits))
  const amount = toRaw(typed, token.decimals)
  if (amount === 0n) throw new Error(text.amountZero)
  return { engine, token: token.address as Address, amount }
}

/** Returns a token by its symbol; throws if there is none. */
export function tokenOf({ info }: SigningVenue, symbol: string): (typeof info.tokens)[number] {
  const token = info.tokens.find((token) => token.symbol === symbol)
  if (token === undefined) throw new Error(`there is no token ${symbol}`)
  return token
}

/** Plans a withdrawal of available funds to the wallet. */
export function planWithdraw(venue: SigningVenue, form: MoneyForm, to: Address): PlannedCall {
  const money = readMoney(venue, form)
  const words = moneyWords('withdraw', venue, money, {
    members: [['to', to]],
    lines: [mainLine(to)],
  })
  const title = text.withdrawMoney(`${form.amount} ${form.symbol}`)
  return { text: title, call: withdrawCall(money, to), words }
}

/** Returns an amount with its token: `1,000.5 USDC`. */
export function moneyText({ info }: SigningVenue, { token, amount }: Money): string {
  const { symbol, decimals } = tokenAt(info.tokens, token)
  return `${showDecimal(fromRaw(amount, decimals))} ${symbol}`
}

/**
 * Names the wallet's own account, which its deposits and withdrawals always use, even while a
 * sub-account is selected. The calldata does not contain it.
 */
export const mainLine = (wallet: Address) => [text.account, text.mainAccount(wallet)] as const

/**
 * Additional lines of a description: those before the call, and members besides token and amount.
 */
type SummaryExtras = Readonly<{
  lines?: readonly (readonly [string, string])[]
  members?: readonly (readonly [name: string, value: string])[]
}>

export function moneyWords(
  name: 'approve' | 'deposit' | 'approveAndDeposit' | 'withdraw' | 'transfer' | 'collect',
  venue: SigningVenue,
  money: Money,
  { lines = [], members = [] }: SummaryExtras = {},
): CallSummary {
  const { engine, token } = money
  return callWords(
    name,
    [
      ['amount', moneyText(venue, money)],
      ['token', `${tokenAt(venue.info.tokens, token).symbol}, ${token}`],
      ...members,
      [name === 'approve' ? 'spender' : 'contract', engine],
    ],
    lines,
  )
}

type Tokens = SigningVenue['info']['tokens']

function tokenAt(tokens: Tokens, address: Address): Tokens[number] {
  const token = tokens.find((token) => token.address === address)
  if (token === undefined) throw new Error(`there is no token at ${address}`)
  return token
}
