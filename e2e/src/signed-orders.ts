// Signs messages for an engine with a signing key, as a client would: with the domains and types
// that GET /info publishes.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { Tx } from '@openvenue/devnet/tx-sender'
import { encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Messages } from './published-info.ts'

const PLACE_GAS = 1_500_000
const CANCEL_GAS = 500_000
const NOTHING: Hex = `0x${'0'.repeat(64)}`

/** Where and with what is signed. */
export type Signing = Readonly<{
  /** Of the engine, as published. */
  messages: Messages
  /** Private key of the signing key. */
  key: Hex
}>
/** Of what goes to the chain itself. */
export type EngineSigning = Signing & Readonly<{ engine: string }>

type Bid = Readonly<{
  account: string
  market: number
  limitPrice: bigint
  amount: bigint
  salt: bigint
  deadline: bigint
}>

/** Returns a message as it is published, with its values. */
function typedData({ messages }: Signing, name: string, message: object) {
  const published = messages[name]
  if (published === undefined) throw new Error(`/info publishes ${name}`)
  const { domain, types, primaryType } = published
  return { domain, types, primaryType, message } as never
}

const sign = (signing: Signing, name: string, message: object) =>
  privateKeyToAccount(signing.key).signTypedData(typedData(signing, name, message))

const bidMessage = (bid: Bid) => ({
  ...bid,
  account: bid.account as Hex,
  isBuy: true,
  timeInForce: 0,
  reduceOnly: false,
  triggerKind: 0,
  triggerPrice: 0n,
  goodTil: 0n,
  maxFills: 0,
  replaces: NOTHING,
  replacesAmount: 0n,
})

/** Signs a bid of an instrument that rests; returns the body of POST /orders. */
export async function bidBody(signing: Signing, instrument: string, bid: Bid): Promise<object> {
  return {
    instrument,
    maker: bid.account,
    is_buy: true,
    limit_price: String(bid.limitPrice),
    amount: String(bid.amount),
    salt: String(bid.salt),
    deadline: String(bid.deadline),
    signature: await sign(signing, 'Order', bidMessage(bid)),
  }
}

/** Signs a bid that rests; returns the transaction by which `from` sends it, and its digest. */
export async function signedBid(
  signing: EngineSigning,
  bid: Bid,
  from: string,
): Promise<Readonly<{ digest: Hex; tx: Tx }>> {
  const message = bidMessage(bid)
  const call = encodeFunctionData({
    abi: spotAbi,
    functionName: 'placeSigned',
    args: [message, await sign(signing, 'Order', message)],
  })
  const tx = { from, to: signing.engine, data: call, gas: PLACE_GAS }
  return { digest: hashTypedData(typedData(signing, 'Order', message)), tx }
}

type Cancelling = Readonly<{
  account: string
  market: number
  /** Ids of the chain's form. */
  orders: readonly string[]
  deadline: bigint
}>

/** Signs a cancel; returns the transaction by which `from` sends it. */
export async function signedCancel(
  signing: EngineSigning,
  cancelling: Cancelling,
  from: string,
): Promise<Tx> {
  const message = {
    ...cancelling,
    account: cancelling.account as Hex,
    orders: cancelling.orders as readonly Hex[],
  }
  const args = [message, await sign(signing, 'Cancel', message)] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'cancelSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}

type CancellingAll = Readonly<{ account: string; market: number; salt: bigint; deadline: bigint }>

/** Signs that every order of the market goes; returns the transaction that cancels `number`. */
export async function signedCancelAll(
  signing: EngineSigning,
  cancelling: CancellingAll,
  { number, from }: Readonly<{ number: number; from: string }>,
): Promise<Tx> {
  const message = { ...cancelling, account: cancelling.account as Hex }
  const args = [message, [number], await sign(signing, 'CancelAll', message)] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'cancelAllSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}

type Burning = Readonly<{ account: string; word: bigint; mask: bigint; deadline: bigint }>

/** Signs that salts are spent; returns the transaction by which `from` sends it. */
export async function signedBurn(
  signing: EngineSigning,
  burning: Burning,
  from: string,
): Promise<Tx> {
  const message = { ...burning, account: burning.account as Hex }
  const args = [message, await sign(signing, 'Burn', message)] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'burnSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}
