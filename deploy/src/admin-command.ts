// `npm run admin`: timelock actions by name, and immediate actions of the guardian. Each command
// sends a transaction (the guardian several), or prints call data for a multisig.
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { type Abi, BaseError, type Hex, type PrivateKeyAccount } from 'viem'
import { type ActionParts, GOVERNANCE_ERRORS, makeAction, USAGE } from './admin/actions.ts'
import { listDifferences, listFixed } from './admin/differences.ts'
import { GUARDIAN_USAGE, isGuardianWord, listStops } from './admin/guardian.ts'
import { cancelData, executeData, makeProposal, proposeData } from './admin/proposal.ts'
import {
  findProposal,
  keepProposal,
  type ProposalState,
  readProposals,
  STATES,
} from './admin/proposal-file.ts'
import { PROPOSAL_GAS, sendAll, sendOnce, wordsOf } from './admin/send-once.ts'
import { inTurns } from './chain/chain.ts'
import { byName, placeContracts, requireContract } from './plan/contracts.ts'
import { listSteps } from './plan/steps.ts'
import type { Session } from './session.ts'
import { differenceText } from './verify/difference.ts'
import { placementOf, readRecord } from './verify-command.ts'

export type AdminTerms = Readonly<{
  /** The command, then its arguments. */
  words: readonly string[]
  account: PrivateKeyAccount | undefined
  /** Prints call data instead of sending it. */
  isPrinted: boolean
  /** Distinguishes a proposal from another one with the same calls. */
  salt: string
  confirm(): Promise<boolean>
  say(text: string): void
}>

type Work = Readonly<{ session: Session; terms: AdminTerms; parts: ActionParts; timelock: Hex }>

const MS = 1000
/** Measured at most 60,000 for a halt, a pause or a limit. */
const GUARDIAN_GAS = 150_000n

/** Returns whether the command succeeded. */
export async function admin(session: Session, terms: AdminTerms): Promise<boolean> {
  const [command = '', ...args] = terms.words
  const record = readRecord(session)
  const contracts = placeContracts(session.terms, placementOf(record))
  const parts = { chain: session.chain, terms: session.terms, contracts }
  const timelock = requireContract(byName(contracts), 'governance').address
  const work = { session, terms, parts, timelock }
  if (command === 'list') return list(work)
  if (command === 'propose') return propose(work, args)
  if (command === 'execute') return execute(work, args[0] ?? '')
  if (command === 'cancel') return cancel(work, args[0] ?? '')
  if (isGuardianWord(command)) return guard(work, command, args)
  throw new ConfigInvalid(
    `admin takes list, propose, execute ID or cancel ID; propose takes\n${USAGE}\nand at once\n${GUARDIAN_USAGE}`,
  )
}

async function list({ session, terms, timelock }: Work): Promise<boolean> {
  const rows = await inTurns(readProposals(session.folder), async ({ id, changes }) => {
    const { state, readySeconds } = await readState(session, timelock, id)
    const when = readySeconds === 0n ? '' : `, ready ${timeText(readySeconds)}`
    return [`${id}  ${state}${when}`, ...changes.map(({ name, wanted }) => `  ${name}: ${wanted}`)]
  })
  terms.say(rows.length === 0 ? 'nothing was proposed from here' : rows.flat().join('\n'))
  return true
}

const timeText = (seconds: bigint): string => new Date(Number(seconds) * MS).toISOString()

type ProposalStatus = Readonly<{ state: ProposalState; readySeconds: bigint }>

async function readState({ chain }: Session, timelock: Hex, id: Hex): Promise<ProposalStatus> {
  const read = <T>(functionName: string, args: readonly unknown[]) =>
    chain.read<T>({ abi: governanceAbi as Abi, address: timelock, functionName, args })
  const [state, readySeconds, life, nowSeconds] = await Promise.all([
    read<number>('operationState', [id]),
    read<bigint>('readyTimestamp', [id]),
    read<bigint>('PROPOSAL_LIFE', []),
    chain.newestBlock().then(({ timestamp }) => timestamp),
  ])
  const known = STATES[state ?? 0] ?? 'unknown'
  const isExpired = known === 'ready' && nowSeconds > (readySeconds ?? 0n) + (life ?? 0n)
  return { state: isExpired ? 'expired' : known, readySeconds: readySeconds ?? 0n }
}

async function propose(work: Work, [name, ...args]: readonly string[]): Promise<boolean> {
  const { session, terms, parts, timelock } = work
  const actions =
    name === undefined ? await listDifferences(session, parts) : [makeAction(parts, name, args)]
  if (actions.length === 0) return nothingToPropose(work)
  const changes = await inTurns(actions, async (action) => ({
    ...action,
    stands: await action.read(),
  }))
  for (const { name: what, stands, wanted } of changes) terms.say(`${what}: ${stands} -> ${wanted}`)
  const proposal = makeProposal(actions, terms.salt)
  const delay = await session.chain.read<bigint>({
    abi: governanceAbi as Abi,
    address: timelock,
    functionName: 'minDelay',
  })
  // The calls are on disk before they are visible on the chain.
  const kept = changes.map(({ name: what, to, data, stands, wanted }) => ({
    name: what,
    to,
    data,
    stands,
    wanted,
  }))
  keepProposal(session.folder, { ...proposal, changes: kept })
  terms.say(`proposal ${proposal.id}, carried out after ${delay} s at the earliest`)
  return carry(work, proposeData(proposal, delay ?? 0n))
}

/** Reports that nothing is left to propose, and the differences that no proposal can change. */
async function nothingToPropose({ session, terms, parts }: Work): Promise<boolean> {
  const fixed = await listFixed(session, parts)
  for (const difference of fixed) terms.say(differenceText(difference))
  terms.say(
    fixed.length === 0 ? 'the chain is as venue.json asks' : 'no proposal changes what differs',
  )
  return fixed.length === 0
}

async function execute(work: Work, id: string): Promise<boolean> {
  const { session, terms, timelock, parts } = work
  const proposal = findProposal(session.folder, id)
  const { state, readySeconds } = await readState(session, timelock, proposal.id)
  if (state !== 'ready')
    throw new ConfigInvalid(
      `${proposal.id} is ${state}${state === 'waiting' ? ` until ${timeText(readySeconds)}` : ''}`,
    )
  for (const { name, stands, wanted } of proposal.changes)
    terms.say(`${name}: ${stands} when proposed -> ${wanted}`)
  const isDone = await carry(work, executeData(proposal))
  if (!isDone || terms.isPrinted) return isDone
  const steps = listSteps(session.chain, session.terms, parts.contracts)
  for (const { name } of proposal.changes) {
    const step = steps.find((one) => one.name === name)
    if (step !== undefined) terms.say(`${name}: ${await step.read()}`)
  }
  return true
}

async function cancel(work: Work, id: string): Promise<boolean> {
  const proposal = findProposal(work.session.folder, id)
  work.terms.say(`cancels ${proposal.id}`)
  return carry(work, cancelData(proposal.id))
}

/** Sends the guardian's actions. Values already in effect are skipped; failures are independent. */
async function guard(work: Work, word: string, subjects: readonly string[]): Promise<boolean> {
  const { session, terms, parts } = work
  const { say } = terms
  const actions = await inTurns(await listStops(parts, word, subjects), async (action) => ({
    ...action,
    stands: await action.read().catch(unreadable),
  }))
  for (const { name, stands, wanted } of actions)
    say(stands === wanted ? `${name}: ${stands} already` : `${name}: ${stands} -> ${wanted}`)
  const open = actions.filter(({ stands, wanted }) => stands !== wanted)
  if (terms.isPrinted) for (const { to, data } of open) say(`to   ${to}\ndata ${data}`)
  if (terms.isPrinted || open.length === 0) return true
  const account = await confirmed(terms)
  if (account === undefined) return false
  const outcomes = await sendAll(session, open, {
    account,
    gas: GUARDIAN_GAS,
    errors: errorsOf(parts),
  })
  for (const [index, outcome] of outcomes.entries()) {
    const failed = 'failure' in outcome
    say(
      `${open[index]?.name}: ${failed ? withTime(outcome.failure) : `done in block ${outcome.block}`}`,
    )
  }
  return outcomes.every((outcome) => !('failure' in outcome))
}

/** A value that the node cannot read does not block the action. */
function unreadable(error: unknown): string {
  if (!(error instanceof BaseError)) throw error
  return `unknown (${wordsOf(error)})`
}

/** Formats the timestamps in errors of the contracts, which are in seconds. */
const withTime = (failure: string): string =>
  failure.replace(
    /NotYet\((\d+)\)/,
    (_, seconds: string) => `not before ${timeText(BigInt(seconds))}`,
  )

const errorsOf = ({ contracts }: ActionParts): Abi =>
  [...GOVERNANCE_ERRORS, ...contracts.flatMap(({ abi }) => abi)] as Abi

/** Returns the signer; undefined when the operator declines. */
async function confirmed({ account, confirm }: AdminTerms) {
  if (account === undefined)
    throw new ConfigInvalid('ADMIN_KEY, or ADMIN_KEY_FILE, signs; --calldata prints for a multisig')
  return (await confirm()) ? account : undefined
}

/** Sends `data` to the timelock, or prints it. */
async function carry({ session, terms, timelock, parts }: Work, data: Hex): Promise<boolean> {
  const { say } = terms
  if (terms.isPrinted) {
    say(`to   ${timelock}\ndata ${data}`)
    return true
  }
  const account = await confirmed(terms)
  if (account === undefined) return false
  const sending = { account, gas: PROPOSAL_GAS, errors: errorsOf(parts) }
  const { hash, block } = await sendOnce(session, { to: timelock, data }, sending)
  say(`done in block ${block}: ${hash}`)
  return true
}
