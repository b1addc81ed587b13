// Starts a sender on a real chain that mines on request, and records its reports.
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import type { AnvilVenue } from '@openvenue/indexer/test/anvil-venue'
import { nodeAt, type RpcNode } from '@openvenue/runtime/node'
import { encodeFunctionData, type Hex, numberToHex, toHex } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { TxRequest } from '../src/pending-tx.ts'
import { TxSender, type TxSenderOptions } from '../src/tx-sender.ts'
import { ManualClock, runClock, type TestClock } from './clock.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
export const CHAIN_ID = 5042002

const privateKeys = new Map<number, Hex>()

/**
 * Returns the private key of an account of the chain's mnemonic. Keys are cached: deriving one
 * takes 50 ms of CPU, and tests sign hundreds of orders.
 */
export function derivePrivateKey(addressIndex: number): Hex {
  const cached = privateKeys.get(addressIndex)
  if (cached !== undefined) return cached
  const { privateKey } = mnemonicToAccount(MNEMONIC, { addressIndex }).getHdKey()
  if (privateKey === null) throw new Error('an account of the mnemonic has a private key')
  const key = toHex(privateKey)
  privateKeys.set(addressIndex, key)
  return key
}

/** The wallet that senders of tests sign with. */
export const SENDER_INDEX = 5

export type RunningSender = Readonly<{
  sender: TxSender
  /** Its reports, in order: `sent 3`, `replaced 3`, `foreign 4`. */
  reports: string[]
  /** Virtual time of the sender. */
  clock: TestClock
  stop: () => Promise<void>
}>

/** Starts a sender; `more` overrides the defaults of tests. */
export function startSender(venue: AnvilVenue, more: Partial<TxSenderOptions> = {}): RunningSender {
  const reports: string[] = []
  const stopping = new AbortController()
  const clock = new ManualClock(Date.now())
  const sender = new TxSender({
    node: nodeAt([venue.url]),
    account: privateKeyToAccount(derivePrivateKey(SENDER_INDEX)),
    chainId: CHAIN_ID,
    clock,
    mayAct: () => true,
    watch: {
      sent: (_, nonce) => reports.push(`sent ${nonce}`),
      replaced: (_, nonce) => reports.push(`replaced ${nonce}`),
      resent: (_, nonce) => reports.push(`resent ${nonce}`),
      foreign: (nonce) => reports.push(`foreign ${nonce}`),
      capped: (_, nonce) => reports.push(`capped ${nonce}`),
      rejected: (description) => reports.push(`untaken ${description}`),
      pending: () => {},
      failed: (error) => reports.push(`failed ${String(error)}`),
      answered: () => {},
    },
    ...more,
  })
  const { signal } = stopping
  const running = Promise.all([
    sender.run(signal),
    runClock(clock, () => venue.call('eth_chainId'), signal),
  ])
  const stop = async () => {
    stopping.abort()
    await running
  }
  return { sender, reports, clock, stop }
}

/** Returns a call that opens account `n` of an unused wallet; repeating it is harmless. */
export const opening = (venue: AnvilVenue, n: number): TxRequest => ({
  to: venue.deployment.accounts,
  data: encodeFunctionData({
    abi: accountsAbi,
    functionName: 'open',
    args: [numberToHex(0x1000 + n, { size: 20 })],
  }),
  description: `opening ${n}`,
})

/** Returns how many of the first `count` such accounts are open. */
export async function opened(venue: AnvilVenue, count: number): Promise<number> {
  const node: RpcNode = nodeAt([venue.url])
  const answers = await node.batch(
    Array.from({ length: count }, (_, n) => ({
      method: 'eth_call',
      params: [
        {
          to: venue.deployment.accounts,
          data: encodeFunctionData({
            abi: accountsAbi,
            functionName: 'accountOf',
            args: [numberToHex(0x1000 + n, { size: 20 })],
          }),
        },
        'latest',
      ],
    })),
  )
  return answers.filter((answer) => 'result' in answer && BigInt(String(answer.result)) > 0n).length
}

/** Returns the number of transactions in the pool. */
export async function countPooled(venue: AnvilVenue): Promise<number> {
  const { pending } = (await venue.call('txpool_status')) as { pending: string }
  return Number(pending)
}
