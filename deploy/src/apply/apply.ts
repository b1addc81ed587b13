// Executes a plan: every open step in order, then another check once its blocks are final.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { openSteps, type Plan, type PlannedStep } from '../plan/plan.ts'
import type { Journal } from './journal.ts'
import { type Sender, StepFailed, StepsUndone } from './sender.ts'

const POLL_MS = 200
/** Maximum wait for a block to become final. */
const FINAL_WITHIN_MS = 10 * 60_000
/** How often transactions undone by a reorganisation are resent. */
const ROUNDS_MAX = 3

type ApplyScope = Readonly<{
  chain: Chain
  sender: Sender
  journal: Journal
  finalityBlocks: number
  /** Reads the chain again. */
  plan(): Promise<Plan>
  print(text: string): void
}>

/** Returns the final plan, without open steps. */
export async function applyPlan(first: Plan, parts: ApplyScope): Promise<Plan> {
  let plan = first
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const isSent = await sendAll(openSteps(plan), parts.sender)
    if (isSent) await awaitFinality(parts)
    plan = await parts.plan()
    if (openSteps(plan).length === 0) return plan
    parts.print('a reorganisation undid some steps: resending them')
  }
  const names = openSteps(plan).map(({ step }) => step.name)
  throw new StepFailed(`reorganisations keep undoing steps: ${names.join(', ')}`)
}

/** Returns false when the chain undid a step: later ones would fail. */
async function sendAll(steps: readonly PlannedStep[], sender: Sender): Promise<boolean> {
  try {
    for (const { step } of steps) {
      // Any account can create a contract, so the step may be done by now.
      if ((await step.read()) !== step.expected) await sender.send(step)
    }
    return true
  } catch (error) {
    if (error instanceof StepsUndone) return false
    throw error
  }
}

/** Waits until the newest block of a step has the confirmations that the network requires. */
async function awaitFinality({ chain, journal, finalityBlocks, print }: ApplyScope): Promise<void> {
  const newest = Math.max(0, ...journal.entries.map(({ outcome }) => outcome?.block ?? 0))
  const deadlineMs = Date.now() + FINAL_WITHIN_MS
  if (newest > 0) print(`waiting for block ${newest} to become final`)
  while (Number((await chain.newestBlock()).number) < newest + finalityBlocks) {
    if (Date.now() > deadlineMs)
      throw new StepFailed(`block ${newest} is not final after ${FINAL_WITHIN_MS / 60_000} min`)
    await sleep(POLL_MS)
  }
}
