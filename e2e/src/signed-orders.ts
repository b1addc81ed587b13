// Signs orders for an engine with a signing key, as a client would: interface-like typed data in
// the domain of the venue and the engine.
import { spotAbi } from '@openvenue/contracts/abi/spot'
import type { Tx } from '@openvenue/devnet/tx-sender'
import { encodeFunctionData, type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const PLACE_GAS = 1_500_000
const CANCEL_GAS = 500_000
const NOTHING: Hex = `0x${'0'.repeat(64)}`

const TYPES = {
  Order: [
    { name: 'account', type: 'address' },
    { name: 'market', type: 'uint32' },
    { name: 'isBuy', type: 'bool' },
    { name: 'limitPrice', type: 'uint256' },
    { name: 'amount', type: 'uint256' },
    { name: 'timeInForce', type: 'uint8' },
    { name: 'reduceOnly', type: 'bool' },
    { name: 'triggerKind', type: 'uint8' },
    { name: 'triggerPrice', type: 'uint256' },
    { name: 'goodTil', type: 'uint256' },
    { name: 'maxFills', type: 'uint8' },
    { name: 'replaces', type: 'bytes32' },
    { name: 'salt', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
  Cancel: [
    { name: 'account', type: 'address' },
    { name: 'market', type: 'uint32' },
    { name: 'orders', type: 'bytes32[]' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

/** Where and with what is signed. */
export type Signing = Readonly<{
  chainId: number
  /** Name of the venue. */
  name: string
  engine: string
  /** Private key of the signing key. */
  key: Hex
}>

type Bid = Readonly<{
  account: string
  market: number
  limitPrice: bigint
  amount: bigint
  salt: bigint
  deadline: bigint
}>

const signingDomain = ({ chainId, name, engine }: Signing) => ({
  name,
  version: '1',
  chainId,
  verifyingContract: engine as Hex,
})

/** Signs a bid that rests; returns the transaction by which `from` sends it, and its digest. */
export async function signedBid(
  signing: Signing,
  bid: Bid,
  from: string,
): Promise<Readonly<{ digest: Hex; tx: Tx }>> {
  const message = {
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
  }
  const data = {
    domain: signingDomain(signing),
    types: TYPES,
    primaryType: 'Order',
    message,
  } as const
  const signature = await privateKeyToAccount(signing.key).signTypedData(data)
  const call = encodeFunctionData({
    abi: spotAbi,
    functionName: 'placeSigned',
    args: [message, signature],
  })
  const tx = { from, to: signing.engine, data: call, gas: PLACE_GAS }
  return { digest: hashTypedData(data), tx }
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
  signing: Signing,
  cancelling: Cancelling,
  from: string,
): Promise<Tx> {
  const message = {
    ...cancelling,
    account: cancelling.account as Hex,
    orders: cancelling.orders as readonly Hex[],
  }
  const data = {
    domain: signingDomain(signing),
    types: TYPES,
    primaryType: 'Cancel',
    message,
  } as const
  const signature = await privateKeyToAccount(signing.key).signTypedData(data)
  const args = [message, signature] as const
  const call = encodeFunctionData({ abi: spotAbi, functionName: 'cancelSigned', args })
  return { from, to: signing.engine, data: call, gas: CANCEL_GAS }
}
