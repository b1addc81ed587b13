// Signs messages for an engine with a signing key and the domains and types of GET /info.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { Tx } from '@openvenue/devnet/tx-sender'
import { encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Messages } from './probe.ts'

const PLACE_GAS = 1_500_000
const CANCEL_GAS = 500_000
const NOTHING: Hex = `0x${'0'.repeat(64)}`

/** Venue and key of a signature. */
type SigningContext = Readonly<{
  /** Published messages of the engine. */
  messages: Messages
  /** Private key of the signing key. */
  key: Hex
}>
/** For transactions sent directly to the chain. */
export type EngineSigning = SigningContext & Readonly<{ engine: string }>

type Bid = Readonly<{
  account: string
  market: number
  limitPrice: bigint
  amount: bigint
  salt: bigint
  deadline: bigint
}>

/** Returns a published message with its values. */
function typedData({ messages }: SigningContext, name: string, message: object) {
  const published = messages[name]
  if (published === undefined) throw new Error(`/info does not publish ${name}`)
  const { domain, types, primaryType } = published
  return { domain, types, primaryType, message } as never
}

const sign = (signing: SigningContext, name: string, message: object) =>
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

/** Signs a resting bid of an instrument; returns the body of POST /orders. */
export async function bidBody(
  signing: SigningContext,
  instrument: string,
  bid: Bid,
): Promise<object> {
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

/** Signs a resting bid; returns the transaction by which `from` sends it, and its digest. */
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

type CancelMessage = Readonly<{
  account: string
  market: number
  /** Ids in the chain's format. */
  orders: readonly string[]
  deadline: bigint
}>

/** Signs a cancel; returns the transaction by which `from` sends it. */
export async function signedCancel(
  signing: EngineSigning,
  cancelling: CancelMessage,
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

type CancelAllMessage = Readonly<{
  account: string
  market: number
  salt: bigint
  deadline: bigint
}>

/** Signs a cancel of all orders of the market; returns the transaction that cancels `number`. */
export async function signedCancelAll(
  signing: EngineSigning,
  cancelling: CancelAllMessage,
  { number, from }: Readonly<{ number: number; from: string }>,
): Promise<Tx> {
  const message = { ...cancelling, account: cancelling.account as Hex }
  const args = [message, [number], await sign(signing, 'CancelAll', message)] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'cancelAllSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}

/** Signs that salts are spent; returns the transaction by which `from` sends it. */
export async function signedBurn(
  signing: EngineSigning,
  burning: Readonly<{ account: string; word: bigint; mask: bigint; deadline: bigint }>,
  from: string,
): Promise<Tx> {
  const message = { ...burning, account: burning.account as Hex }
  const args = [message, await sign(signing, 'Burn', message)] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'burnSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}
