// Reads amounts of money and describes calls. The description uses the encoded amount, which is
// what the wallet shows, not the typed text.
import { fromRaw, toRaw } from 'openvenue'
import { type Address, type Money, type SigningVenue, withdrawCall } from 'openvenue/signing'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { MoneyForm } from '../../account/account-protocol.ts'
import { type CallWords, callWords } from '../../wallet/worker/signing-words.ts'
import type { PlannedCall } from '../../wallet/worker/wallet.ts'

/** Returns the raw amount for the contracts. Throws if the token or the engine does not exist. */
export function readMoney(venue: SigningVenue, asked: MoneyForm): Money {
  const engine = venue.contracts[asked.engine]
  if (engine === undefined) throw new Error(`this venue has no engine ${asked.engine}`)
  const token = tokenOf(venue, asked.symbol)
  const text = asked.amount.replaceAll(/[,\s]/g, '')
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new Error(`"${asked.amount}" is not an amount such as 1000.5`)
  const digits = text.split('.')[1]?.replace(/0+$/, '').length ?? 0
  if (digits > token.decimals)
    throw new Error(`${asked.symbol} has ${token.decimals} decimals: the amount has ${digits}`)
  const amount = toRaw(text, token.decimals)
  if (amount === 0n) throw new Error('the amount must be above 0')
  return { engine, token: token.address as Address, amount }
}

/** Returns a token by its symbol; throws if there is none. */
export function tokenOf({ info }: SigningVenue, symbol: string): (typeof info.tokens)[number] {
  const token = info.tokens.find((one) => one.symbol === symbol)
  if (token === undefined) throw new Error(`there is no token ${symbol}`)
  return token
}

/** Plans a withdrawal of available funds to the wallet. */
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
 * Names the wallet's own account, which its deposits and withdrawals always use, even while a
 * sub-account is selected. The calldata does not contain it.
 */
export const ownLine = (wallet: Address) => ['Account', `Main, ${wallet}`] as const

/**
 * Additional lines of a description: those before the call, and members besides token and amount.
 */
type Others = Readonly<{
  said?: readonly (readonly [string, string])[]
  members?: readonly (readonly [name: string, value: string])[]
}>

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
