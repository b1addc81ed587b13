// Sends one or more transactions and waits for them. A journal is not needed: the timelock accepts
// a proposal only once, and a guardian's stop is idempotent.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Abi, BaseError, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { StepFailed } from '../apply/sender.ts'
import { mapLimited } from '../chain/chain.ts'
import { revertReason } from '../chain/revert-reason.ts'
import { offerFee } from '../plan/fees.ts'
import type { DeploySession } from '../session.ts'

type TxCall = Readonly<{ to: Hex; data: Hex }>
type SendOptions = Readonly<{ account: PrivateKeyAccount; gas: bigint; errors: Abi }>
type IncludedTx = Readonly<{ hash: Hex; block: bigint }>

/** Result of a call; calls are independent. */
type CallResult = IncludedTx | Readonly<{ failure: string }>

/** Allows for a proposal that lists many markets. */
export const PROPOSAL_GAS = 8_000_000n
const POLL_MS = 200
const INCLUDED_MS_MAX = 120_000
/** The same transaction is already pending, from a previous run. */
const PENDING_ERROR = /already known|already imported|known transaction/i

/** Sends a call and returns its block; throws `StepFailed` when it fails. */
export async function sendOnce(
  session: DeploySession,
  call: TxCall,
  sending: SendOptions,
): Promise<IncludedTx> {
  const [result] = await sendAll(session, [call], sending)
  if (result === undefined || 'failure' in result)
    throw new StepFailed(result?.failure ?? 'no transaction was sent')
  return result
}

/**
 * Sends `calls` with consecutive nonces, without waiting between them. A call that would revert or
 * that the node refuses does not block the others. Results are in the order of calls.
 */
export async function sendAll(
  session: DeploySession,
  calls: readonly TxCall[],
  sending: SendOptions,
): Promise<readonly CallResult[]> {
  const refusals = await mapLimited(calls, (call) => findRefusal(session, call, sending))
  const submitted = await submit(session, { ...sending, calls, refusals })
  return Promise.all(
    submitted.map((sent) => ('failure' in sent ? sent : waitFor(session, sent.hash))),
  )
}

/** Returns why a call is not sent: it would revert, or the node cannot simulate it. */
async function findRefusal(
  { chain }: DeploySession,
  { to, data }: TxCall,
  { account, gas, errors }: SendOptions,
): Promise<string | undefined> {
  try {
    await chain.simulate({ from: account.address, to, data, gas })
    return undefined
  } catch (error) {
    const reason = revertReason(error, errors)
    if (reason !== undefined) return `would revert: ${reason}`
    rethrowUnlessNodeError(error)
    return `the node cannot simulate it: ${nodeErrorText(error as BaseError)}`
  }
}

/** Rethrows errors that are not the node's. */
function rethrowUnlessNodeError(error: unknown): undefined {
  if (!(error instanceof BaseError)) throw error
}

export const nodeErrorText = ({ details, shortMessage }: BaseError): string =>
  details || shortMessage

type CallBatch = SendOptions &
  Readonly<{ calls: readonly TxCall[]; refusals: readonly (string | undefined)[] }>
type SubmitResult = Readonly<{ hash: Hex }> | Readonly<{ failure: string }>

async function submit(session: DeploySession, batch: CallBatch): Promise<readonly SubmitResult[]> {
  const { chain, network, fees } = session
  const { account, gas, calls, refusals } = batch
  const [first, { baseFee }] = await Promise.all([
    chain.nonce(account.address),
    chain.newestBlock(),
  ])
  const fee = offerFee(baseFee, fees)
  const submitted: SubmitResult[] = []
  let nonce = first
  for (const [index, { to, data }] of calls.entries()) {
    const failure = refusals[index]
    if (failure !== undefined) {
      submitted.push({ failure })
      continue
    }
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      nonce,
      to,
      data,
      gas,
      maxFeePerGas: fee.max,
      maxPriorityFeePerGas: fee.tip,
    })
    const refusal = await broadcast(session, raw)
    // The next call reuses the nonce of a refused one: a gap would block the later calls.
    if (refusal === undefined) nonce += 1
    submitted.push(refusal === undefined ? { hash: keccak256(raw) } : { failure: refusal })
  }
  return submitted
}

/** Returns why the node refuses a transaction; undefined when it has it. */
async function broadcast({ chain }: DeploySession, raw: Hex): Promise<string | undefined> {
  try {
    await chain.send(raw)
    return undefined
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const reason = nodeErrorText(error)
    return PENDING_ERROR.test(reason) ? undefined : `the node rejected it: ${reason}`
  }
}

async function waitFor({ chain }: DeploySession, hash: Hex): Promise<CallResult> {
  const deadlineMs = Date.now() + INCLUDED_MS_MAX
  for (;;) {
    // A node that does not answer now may answer later; the transaction is pending in any case.
    const receipt = await chain.receipt(hash).catch(rethrowUnlessNodeError)
    if (receipt?.status === 'success') return { hash, block: receipt.blockNumber }
    if (receipt !== undefined) return { failure: `transaction ${hash} reverted` }
    if (Date.now() > deadlineMs)
      return { failure: `transaction ${hash} is not in a block yet: check it before you retry` }
    await sleep(POLL_MS)
  }
}
