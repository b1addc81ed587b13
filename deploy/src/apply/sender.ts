// Sends the transactions of steps one after the other, each recorded first.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Abi, type BaseError, keccak256, type PrivateKeyAccount } from 'viem'
import type { Chain } from '../chain/chain.ts'
import { revertReason } from '../chain/revert-reason.ts'
import { type Fee, type FeeTerms, offerFee, raiseFee } from '../plan/fees.ts'
import type { DeployStep } from '../plan/step.ts'
import type { Attempt, Journal, JournalEntry, TxResult } from './journal.ts'

type SenderOptions = Readonly<{
  chain: Chain
  chainId: number
  account: PrivateKeyAccount
  fees: FeeTerms
  journal: Journal
  /** Names the error of a revert. */
  errors: Abi
  patience?: Patience
  print(text: string): void
}>

type Patience = Readonly<{
  /** Age after which a transaction in no block is resent, at a higher fee if its own is too low. */
  againMs: number
  /** Time after which a used nonce without a receipt counts as used by another process. */
  foreignMs: number
}>

/** Thrown when a step fails; the message contains the reason. */
export class StepFailed extends Error {
  override name = 'StepFailed'
}

/** Thrown when the chain undid an earlier step. */
export class StepsUndone extends Error {
  override name = 'StepsUndone'
}

const POLL_MS = 200
const PATIENCE: Patience = { againMs: 15_000, foreignMs: 30_000 }
/** Nodes behind one address may lag. */
const SEEN_MS = 60_000

export class Sender {
  readonly #parts: SenderOptions

  constructor(parts: SenderOptions) {
    this.#parts = parts
  }

  /** Completes transactions of a previous run that may be in no block yet. */
  async settle(steps: readonly DeployStep[]): Promise<void> {
    for (const entry of this.#parts.journal.pending()) {
      this.#parts.print(`${entry.step}: already sent with nonce ${entry.nonce}`)
      await this.#broadcast(entry)
      const step = steps.find(({ name }) => name === entry.step)
      // Only an identical call may be resent at a higher fee.
      const isSame = step !== undefined && keccak256(step.data) === entry.dataHash
      await this.#awaitOutcome(entry, isSame ? step : undefined)
    }
  }

  /** Sends the transaction of `step` and returns once its effect is on chain. */
  async send(step: DeployStep): Promise<void> {
    const { chain, journal } = this.#parts
    const [nonce, { baseFee }] = await Promise.all([this.#nextNonce(step), chain.newestBlock()])
    if (step.nonce !== undefined && step.nonce !== nonce)
      throw new StepFailed(
        `${step.name} needs nonce ${step.nonce}, but the next nonce of the deployer is ${nonce}: ` +
          'its key was used elsewhere. Start over in another folder',
      )
    await this.#simulate(step)
    const entry = this.#findUndone(step, nonce) ?? (await this.#createEntry(step, nonce, baseFee))
    journal.put(entry)
    await this.#broadcast(entry)
    const { isReverted, block } = await this.#awaitOutcome(entry, step)
    await this.#awaitEffect(step, isReverted)
    this.#parts.print(`${step.name}: done in block ${block}`)
  }

  /** Returns the nonce for `step`; throws `StepsUndone` when an earlier step was undone. */
  async #nextNonce({ name }: DeployStep): Promise<number> {
    const { chain, account, journal } = this.#parts
    const deadlineMs = Date.now() + SEEN_MS
    for (;;) {
      const nonce = await chain.nonce(account.address)
      const before = journal.at(nonce)
      if (before === undefined || before.step === name) return nonce
      // Either this node lags, or the chain undid that step.
      if ((await this.#findOutcome(before)) === undefined || Date.now() > deadlineMs)
        throw new StepsUndone(`${before.step} is no longer in a block`)
      await sleep(POLL_MS)
    }
  }

  /**
   * Returns the transaction of `step` with `nonce` that a reorganisation undid, to resend it
   * unchanged, since nodes may still have it.
   */
  #findUndone({ name, data }: DeployStep, nonce: number): JournalEntry | undefined {
    const before = this.#parts.journal.at(nonce)
    if (before?.step !== name || before.dataHash !== keccak256(data)) return undefined
    const { outcome: _, ...entry } = before
    return entry
  }

  async #createEntry(step: DeployStep, nonce: number, baseFee: bigint): Promise<JournalEntry> {
    const attempt = await this.#sign(step, nonce, offerFee(baseFee, this.#parts.fees))
    return { step: step.name, dataHash: keccak256(step.data), nonce, attempts: [attempt] }
  }

  /** Simulates the call, so that no fee is paid for a revert. */
  async #simulate({ name, to, data, gas }: DeployStep): Promise<void> {
    const { chain, account } = this.#parts
    try {
      await chain.simulate({ from: account.address, to, data, gas })
    } catch (error) {
      const reason = revertReason(error, this.#parts.errors)
      if (reason === undefined) throw error
      throw new StepFailed(`${name} would revert: ${reason}`, { cause: error })
    }
  }

  async #sign(
    step: Pick<DeployStep, 'to' | 'data' | 'gas'>,
    nonce: number,
    fee: Fee,
  ): Promise<Attempt> {
    const { account, chainId } = this.#parts
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      ...(step.to === undefined ? {} : { to: step.to }),
      data: step.data,
      gas: step.gas,
      maxFeePerGas: fee.max,
      maxPriorityFeePerGas: fee.tip,
    })
    return { hash: keccak256(raw), raw, maxFee: String(fee.max), tip: String(fee.tip) }
  }

  /** An answer about a known transaction is ignored: only the receipt counts. */
  async #broadcast({ step, attempts }: JournalEntry): Promise<void> {
    const newest = attempts.at(-1)
    if (newest === undefined) return
    try {
      await this.#parts.chain.send(newest.raw)
    } catch (error) {
      const text = (error as BaseError).details ?? (error as Error).message
      if (/insufficient funds|gas limit|intrinsic/i.test(text))
        throw new StepFailed(`${step} was rejected by the node: ${text}`, { cause: error })
      this.#parts.print(`${step}: the node replied "${text}"`)
    }
  }

  /** Waits for the receipt of any attempt. With `step`, it may be resent at a higher fee. */
  async #awaitOutcome(first: JournalEntry, step?: DeployStep): Promise<TxResult> {
    const { againMs, foreignMs } = this.#parts.patience ?? PATIENCE
    let entry = first
    let againAtMs = Date.now() + againMs
    let foreignAtMs: number | undefined
    for (;;) {
      const outcome = await this.#findOutcome(entry)
      if (outcome !== undefined) {
        this.#parts.journal.put({ ...entry, outcome })
        return outcome
      }
      const nowMs = Date.now()
      if ((await this.#parts.chain.nonce(this.#parts.account.address)) > entry.nonce) {
        foreignAtMs ??= nowMs + foreignMs
        if (nowMs > foreignAtMs) {
          this.#parts.journal.put({ ...entry, outcome: LOST })
          throw usedElsewhere(entry)
        }
      } else if (nowMs > againAtMs) {
        entry = await this.#resend(entry, step)
        againAtMs = nowMs + againMs
      }
      await sleep(POLL_MS)
    }
  }

  async #findOutcome({ attempts }: JournalEntry): Promise<TxResult | undefined> {
    for (const { hash } of attempts) {
      const receipt = await this.#parts.chain.receipt(hash)
      if (receipt === undefined) continue
      const { blockNumber, gasUsed, status } = receipt
      const isReverted = status === 'reverted'
      return { hash, block: Number(blockNumber), gasUsed: String(gasUsed), isReverted }
    }
    return undefined
  }

  /** Resends the newest attempt, or a higher offer if its fee is below the base fee. */
  async #resend(entry: JournalEntry, step: DeployStep | undefined): Promise<JournalEntry> {
    const { chain, fees, journal } = this.#parts
    const newest = entry.attempts.at(-1)
    if (newest === undefined) return entry
    const { baseFee } = await chain.newestBlock()
    const before = { max: BigInt(newest.maxFee), tip: BigInt(newest.tip) }
    const isTooLow = before.max < baseFee + before.tip
    const fee = isTooLow ? raiseFee(before, offerFee(baseFee, fees), fees.capWei) : undefined
    if (fee === undefined || step === undefined) {
      await this.#broadcast(entry)
      return entry
    }
    const attempt = await this.#sign(step, entry.nonce, fee)
    const raised = { ...entry, attempts: [...entry.attempts, attempt] }
    journal.put(raised)
    await this.#broadcast(raised)
    return raised
  }

  /** Accepts a reverted creation when another account created the same contract first. */
  async #awaitEffect(step: DeployStep, isReverted: boolean): Promise<void> {
    const deadlineMs = Date.now() + SEEN_MS
    for (;;) {
      const actual = await step.read()
      if (actual === step.expected) return
      if (isReverted || Date.now() > deadlineMs)
        throw new StepFailed(
          `${step.name} ${isReverted ? 'reverted' : 'had no effect'}: got ${actual}, expected ${step.expected}`,
        )
      await sleep(POLL_MS)
    }
  }
}

/** Another transaction used its nonce: it can never be included. */
const LOST: TxResult = { hash: '0x', block: 0, gasUsed: '0', isReverted: true }

const usedElsewhere = ({ step, nonce }: JournalEntry) =>
  new StepFailed(
    `${step}: nonce ${nonce} was used by a transaction outside the journal: the key was ` +
      'used elsewhere. Run the command again: completed steps are not resent',
  )
