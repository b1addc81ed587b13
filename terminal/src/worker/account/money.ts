// Reads amounts of money, says in words what is sent, and takes money out.
import { toRaw } from 'openvenue'
import { type Address, type Money, type SigningVenue, withdrawCall } from 'openvenue/signing'
import { callWords } from '../wallet/signing-words.ts'
import type { Wallet } from '../wallet/wallet.ts'
import type { Words } from '../wallet/wallet-protocol.ts'
import type { MoneyForm } from './account-protocol.ts'
import type { TxLog } from './tx-log.ts'

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

/** Takes free money out, to the wallet itself; returns the block. */
export function withdraw(
  wallet: Wallet,
  txs: TxLog,
  [asked, money]: readonly [MoneyForm, Money],
): Promise<number> {
  const words = moneyWords('withdraw', asked, money)
  const call = withdrawCall(money, wallet.address)
  return txs.follow(words.title, wallet, () => wallet.send(call, words))
}

/** Says what a call with money does. */
export const moneyWords = (
  name: 'approve' | 'deposit' | 'approveAndDeposit' | 'withdraw',
  { amount, symbol }: MoneyForm,
  { engine, token }: Money,
): Words =>
  callWords(name, [
    ['amount', `${amount} ${symbol}`],
    ['token', token],
    ['contract', engine],
  ])
