// Reads amounts of money, and says in words what is sent: of the amount that is encoded, which is
// what the wallet shows, not of the text that was typed.
import { fromRaw, toRaw } from 'openvenue'
import { type Address, type Money, type SigningVenue, withdrawCall } from 'openvenue/signing'
import { showDecimal } from '../text/decimal-text.ts'
import { type CallWords, callWords } from '../wallet/signing-words.ts'
import type { PlannedCall } from '../wallet/wallet.ts'
import type { MoneyForm } from './account-protocol.ts'

/** Returns what an amount is for the contracts. Throws where there is no such token or engine. */
export function readMoney(venue: SigningVenue, asked: MoneyForm): Money {
  const engine = venue.contracts[asked.engine]
  if (engine === undefined) throw new Error(`this venue has no engine ${asked.engine}`)
  const token = tokenOf(venue, asked.symbol)
  const text = asked.amount.replaceAll(/[,\s]/g, '')
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`"${asked.amount}" is no amount, such as 1000.5`)
  const digits = text.split('.')[1]?.replace(/0+$/, '').length ?? 0
  if (digits > token.decimals)
    throw new Error(`${asked.symbol} has ${token.decimals} decimals: the amount has ${digits}`)
  const amount = toRaw(text, token.decimals)
  if (amount === 0n) throw new Error('the amount is above zero')
  return { engine, token: token.address as Address, amount }
}

/** Returns a token by its symbol; throws where there is none. */
export function tokenOf({ info }: SigningVenue, symbol: string): (typeof info.tokens)[number] {
  const token = info.tokens.find((one) => one.symbol === symbol)
  if (token === undefined) throw new Error(`there is no token ${symbol}`)
  return token
}

/** Takes free money out, to the wallet itself. */
export function planWithdraw(venue: SigningVenue, asked: MoneyForm, to: Address): PlannedCall {
  const money = readMoney(venue, asked)
  const words = moneyWords('withdraw', venue, money, { members: [['to', to]], said: [ownLine(to)] })
  const text = `Withdraw ${asked.amount} ${asked.symbol}`
  return { text, call: withdrawCall(money, to), words }
}

/** Returns an amount with its token: `1,000.5 USDC`. */
export function moneyText({ info }: SigningVenue, { token, amount }: Money): string {
  const { symbol, decimals } = tokenAt(info.tokens, token)
  return `${showDecimal(fromRaw(amount, decimals))} ${symbol}`
}

/**
 * Names the account that a wallet's own deposits and withdrawals are of, whichever acts: the
 * calldata does not say it.
 */
export const ownLine = (wallet: Address) => ['Account', `Main, ${wallet}`] as const

/** What is said of a call first, and its members beside token and amount. */
type Others = Readonly<{
  said?: readonly (readonly [string, string])[]
  members?: readonly (readonly [name: string, value: string])[]
}>

/** Says what a call with money does. */
export function moneyWords(
  name: 'approve' | 'deposit' | 'approveAndDeposit' | 'withdraw' | 'transfer' | 'collect',
  venue: SigningVenue,
  money: Money,
  { said = [], members = [] }: Others = {},
): CallWords {
  const { engine, token } = money
  return callWords(
    name,
    [
      ['amount', moneyText(venue, money)],
      ['token', `${tokenAt(venue.info.tokens, token).symbol}, ${token}`],
      ...members,
      [name === 'approve' ? 'spender' : 'contract', engine],
    ],
    said,
  )
}

type Tokens = SigningVenue['info']['tokens']

function tokenAt(tokens: Tokens, address: Address): Tokens[number] {
  const token = tokens.find((one) => one.address === address)
  if (token === undefined) throw new Error(`there is no token at ${address}`)
  return token
}
