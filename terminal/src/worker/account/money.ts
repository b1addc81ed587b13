// Brings money to the account and takes it out: the wallet sends that to the chain itself.
import { toRaw } from 'openvenue'
import {
  type Address,
  approveCall,
  depositCall,
  type Money,
  type SigningVenue,
  withdrawCall,
} from 'openvenue/signing'
import { included } from '../wallet/chain-rpc.ts'
import type { Words } from '../wallet/wallet-protocol.ts'
import type { Wallet } from '../wallet/wallets.ts'

export type EngineName = 'spot' | 'perps'
/** Whole tokens, as a person writes them. */
export type MoneyAsked = Readonly<{ engine: EngineName; symbol: string; amount: string }>

/** Returns what an amount is for the contracts. Throws where there is no such token or engine. */
export function readMoney(venue: SigningVenue, asked: MoneyAsked): Money {
  const engine = venue.contracts[asked.engine]
  if (engine === undefined) throw new Error(`this venue has no engine ${asked.engine}`)
  const token = venue.info.tokens.find(({ symbol }) => symbol === asked.symbol)
  if (token === undefined) throw new Error(`there is no token ${asked.symbol}`)
  const text = asked.amount.replaceAll(/[,\s]/g, '')
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`"${asked.amount}" is no amount, such as 1000.5`)
  const amount = toRaw(text, token.decimals)
  if (amount === 0n) throw new Error('the amount is above zero')
  return { engine, token: token.address as Address, amount }
}

/** Lets the engine take the tokens. */
export async function approve(wallet: Wallet, asked: MoneyAsked, money: Money): Promise<void> {
  const words = wordsOf('Let the venue take tokens for a deposit', asked, money)
  await included(wallet.request, await wallet.send(approveCall(money), words))
}

/** Brings approved tokens to the account; returns the block. */
export async function deposit(wallet: Wallet, asked: MoneyAsked, money: Money): Promise<number> {
  const words = wordsOf('Deposit to your account', asked, money)
  return included(wallet.request, await wallet.send(depositCall(money), words))
}

/** Takes free money out, to the wallet itself; returns the block. */
export async function withdraw(wallet: Wallet, asked: MoneyAsked, money: Money): Promise<number> {
  const words = wordsOf('Withdraw to your wallet', asked, money)
  const call = withdrawCall(money, wallet.address)
  return included(wallet.request, await wallet.send(call, words))
}

const wordsOf = (title: string, { amount, symbol }: MoneyAsked, { engine }: Money): Words => ({
  title,
  lines: [
    ['Amount', `${amount} ${symbol}`],
    ['Contract', engine],
  ],
})
