// Carries out a plan: every open step in order, then looks again once its blocks are final.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import { openSteps, type Plan, type PlannedStep } from '../plan/plan.ts'
import type { Journal } from './journal.ts'
import { type Sender, StepFailed, StepsUndone } from './sender.ts'

const POLL_MS = 200
/** A chain that makes no block for so long is no place to wait at. */
const FINAL_WITHIN_MS = 10 * 60_000
/** How often what a reorganisation undid is sent again. */
const ROUNDS_MAX = 3

type ApplyParts = Readonly<{
  chain: Chain
  sender: Sender
  journal: Journal
  finalityBlocks: number
  /** Reads the chain again. */
  plan(): Promise<Plan>
  say(text: string): void
}>

/** Returns the plan of what stands at the end: nothing of it is open. */
export async function applyPlan(first: Plan, parts: ApplyParts): Promise<Plan> {
  let plan = first
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const isSent = await sendAll(openSteps(plan), parts.sender)
    if (isSent) await becomeFinal(parts)
    plan = await parts.plan()
    if (openSteps(plan).length === 0) return plan
    parts.say('the chain undid some of it: sending that again')
  }
  const names = openSteps(plan).map(({ step }) => step.name)
  throw new StepFailed(`these do not last: ${names.join(', ')}`)
}

/** Returns false where the chain took back what was sent: the rest would not be carried out. */
async function sendAll(steps: readonly PlannedStep[], sender: Sender): Promise<boolean> {
  try {
    for (const { step } of steps) {
      // Somebody else may have done it meanwhile: creating a contract is anybody's.
      if ((await step.read()) !== step.wanted) await sender.send(step)
    }
    return true
  } catch (error) {
    if (error instanceof StepsUndone) return false
    throw error
  }
}

/** Waits until the newest block that a step is in is as deep as the network's blocks must be. */
async function becomeFinal({ chain, journal, finalityBlocks, say }: ApplyParts): Promise<void> {
  const newest = Math.max(0, ...journal.entries.map(({ outcome }) => outcome?.block ?? 0))
  const deadlineMs = Date.now() + FINAL_WITHIN_MS
  if (newest > 0) say(`waiting until block ${newest} is final`)
  while (Number((await chain.newestBlock()).number) < newest + finalityBlocks) {
    if (Date.now() > deadlineMs) throw new StepFailed(`block ${newest} became final in time`)
    await sleep(POLL_MS)
  }
}
