// Sends one transaction to the timelock and waits for it. Nothing of it needs a journal: the
// timelock takes the same proposal once.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Abi, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { StepFailed } from '../apply/sender.ts'
import { revertReason } from '../chain/revert-reason.ts'
import { offerFee } from '../plan/fees.ts'
import type { Session } from '../session.ts'

type Call = Readonly<{ account: PrivateKeyAccount; to: Hex; data: Hex; errors: Abi }>

/** A proposal may list many markets at once. */
const GAS = 8_000_000n
const POLL_MS = 200
const WITHIN_MS = 120_000

export async function sendOnce(
  { chain, network, fees }: Session,
  { account, to, data, errors }: Call,
): Promise<Readonly<{ hash: Hex; block: bigint }>> {
  try {
    await chain.attempt({ from: account.address, to, data, gas: GAS })
  } catch (error) {
    const reason = revertReason(error, errors)
    if (reason === undefined) throw error
    throw new StepFailed(`it would revert: ${reason}`, { cause: error })
  }
  const [nonce, { baseFee }] = await Promise.all([
    chain.nonce(account.address),
    chain.newestBlock(),
  ])
  const fee = offerFee(baseFee, fees)
  const raw = await account.signTransaction({
    ...{ type: 'eip1559', chainId: network.chainId, nonce, to, data, gas: GAS },
    maxFeePerGas: fee.max,
    maxPriorityFeePerGas: fee.tip,
  })
  const hash = keccak256(raw)
  await chain.send(raw)
  const deadlineMs = Date.now() + WITHIN_MS
  for (;;) {
    const receipt = await chain.receipt(hash)
    if (receipt?.status === 'success') return { hash, block: receipt.blockNumber }
    if (receipt !== undefined) throw new StepFailed(`${hash} reverted`)
    if (Date.now() > deadlineMs)
      throw new StepFailed(`${hash} is in no block yet: look for it before trying again`)
    await sleep(POLL_MS)
  }
}
