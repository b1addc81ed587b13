// Sends one or more transactions and waits for them. A journal is not needed: the timelock accepts
// a proposal only once, and a guardian's stop is idempotent.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Abi, BaseError, type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { StepFailed } from '../apply/sender.ts'
import { inTurns } from '../chain/chain.ts'
import { revertReason } from '../chain/revert-reason.ts'
import { offerFee } from '../plan/fees.ts'
import type { Session } from '../session.ts'

type Call = Readonly<{ to: Hex; data: Hex }>
type SendOptions = Readonly<{ account: PrivateKeyAccount; gas: bigint; errors: Abi }>
type IncludedTx = Readonly<{ hash: Hex; block: bigint }>

/** Outcome of a call; calls are independent. */
type CallOutcome = IncludedTx | Readonly<{ failure: string }>

/** Allows for a proposal that lists many markets. */
export const PROPOSAL_GAS = 8_000_000n
const POLL_MS = 200
const WITHIN_MS = 120_000
/** The same transaction is already pending, from a previous run. */
const KNOWN = /already known|already imported|known transaction/i

/** Sends a call and returns its block; throws `StepFailed` when it fails. */
export async function sendOnce(
  session: Session,
  call: Call,
  sending: SendOptions,
): Promise<IncludedTx> {
  const [outcome] = await sendAll(session, [call], sending)
  if (outcome === undefined || 'failure' in outcome)
    throw new StepFailed(outcome?.failure ?? 'nothing was sent')
  return outcome
}

/**
 * Sends `calls` with consecutive nonces, without waiting between them. A call that would revert or
 * that the node refuses does not block the others. Outcomes are in the order of calls.
 */
export async function sendAll(
  session: Session,
  calls: readonly Call[],
  sending: SendOptions,
): Promise<readonly CallOutcome[]> {
  const refusals = await inTurns(calls, (call) => tryCall(session, call, sending))
  const hashes = await submit(session, { ...sending, calls, refusals })
  return Promise.all(hashes.map((one) => ('failure' in one ? one : waitFor(session, one.hash))))
}

/** Returns why a call is not sent: it would revert, or the node cannot simulate it. */
async function tryCall(
  { chain }: Session,
  { to, data }: Call,
  { account, gas, errors }: SendOptions,
): Promise<string | undefined> {
  try {
    await chain.attempt({ from: account.address, to, data, gas })
    return undefined
  } catch (error) {
    const reason = revertReason(error, errors)
    if (reason !== undefined) return `it would revert: ${reason}`
    unlessNode(error)
    return `the node does not answer: ${wordsOf(error as BaseError)}`
  }
}

/** Rethrows errors that are not the node's. */
function unlessNode(error: unknown): undefined {
  if (!(error instanceof BaseError)) throw error
}

export const wordsOf = ({ details, shortMessage }: BaseError): string => details || shortMessage

type Batch = SendOptions &
  Readonly<{ calls: readonly Call[]; refusals: readonly (string | undefined)[] }>
type SubmitResult = Readonly<{ hash: Hex }> | Readonly<{ failure: string }>

async function submit(session: Session, batch: Batch): Promise<readonly SubmitResult[]> {
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
    const refusal = await offer(session, raw)
    // A refused call passes its nonce on, since later ones would otherwise wait forever.
    if (refusal === undefined) nonce += 1
    submitted.push(refusal === undefined ? { hash: keccak256(raw) } : { failure: refusal })
  }
  return submitted
}

/** Returns why the node refuses a transaction; undefined when it has it. */
async function offer({ chain }: Session, raw: Hex): Promise<string | undefined> {
  try {
    await chain.send(raw)
    return undefined
  } catch (error) {
    if (!(error instanceof BaseError)) throw error
    const words = wordsOf(error)
    return KNOWN.test(words) ? undefined : `the node does not take it: ${words}`
  }
}

async function waitFor({ chain }: Session, hash: Hex): Promise<CallOutcome> {
  const deadlineMs = Date.now() + WITHIN_MS
  for (;;) {
    // A node that does not answer now may answer later; the transaction is pending in any case.
    const receipt = await chain.receipt(hash).catch(unlessNode)
    if (receipt?.status === 'success') return { hash, block: receipt.blockNumber }
    if (receipt !== undefined) return { failure: `${hash} reverted` }
    if (Date.now() > deadlineMs)
      return { failure: `${hash} is in no block yet: look for it before trying again` }
    await sleep(POLL_MS)
  }
}
