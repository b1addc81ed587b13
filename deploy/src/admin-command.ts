// `npm run admin`: timelock actions by name, and immediate actions of the guardian. Each command
// sends a transaction (the guardian several), or prints call data for a multisig.
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { type Abi, BaseError, type Hex, type PrivateKeyAccount } from 'viem'
import { type ActionScope, GOVERNANCE_ERRORS, makeAction, USAGE } from './admin/actions.ts'
import { listDifferences, listFixed } from './admin/differences.ts'
import { GUARDIAN_USAGE, isGuardianWord, listStops } from './admin/guardian.ts'
import { cancelData, executeData, makeProposal, proposeData } from './admin/proposal.ts'
import {
  findProposal,
  type ProposalState,
  readProposals,
  STATES,
  storeProposal,
} from './admin/proposal-file.ts'
import { nodeErrorText, PROPOSAL_GAS, sendAll, sendOnce } from './admin/send-once.ts'
import { mapLimited } from './chain/chain.ts'
import { byName, placeContracts, requireContract } from './plan/contracts.ts'
import { listSteps } from './plan/steps.ts'
import type { DeploySession } from './session.ts'
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
  print(text: string): void
}>

type AdminWork = Readonly<{
  session: DeploySession
  terms: AdminTerms
  parts: ActionScope
  timelock: Hex
}>

const MS = 1000
/** Measured at most 60,000 for a halt, a pause or a limit. */
const GUARDIAN_GAS = 150_000n

/** Returns whether the command succeeded. */
export async function admin(session: DeploySession, terms: AdminTerms): Promise<boolean> {
  const [command = '', ...args] = terms.words
  const record = readRecord(session)
  const contracts = placeContracts(session.terms, placementOf(record))
  const parts = { chain: session.chain, terms: session.terms, contracts }
  const timelock = requireContract(byName(contracts), 'governance').address
  const work = { session, terms, parts, timelock }
  if (command === 'list') return listProposals(work)
  if (command === 'propose') return proposeChanges(work, args)
  if (command === 'execute') return executeProposal(work, args[0] ?? '')
  if (command === 'cancel') return cancelProposal(work, args[0] ?? '')
  if (isGuardianWord(command)) return runStops(work, command, args)
  const fault = command === '' ? 'missing: ' : `invalid: got "${command}", `
  throw new ConfigInvalid(
    `admin command is ${fault}expected list, propose, execute ID, cancel ID or a guardian command\n` +
      `Actions of propose:\n${USAGE}\nGuardian commands:\n${GUARDIAN_USAGE}`,
  )
}

async function listProposals({ session, terms, timelock }: AdminWork): Promise<boolean> {
  const rows = await mapLimited(readProposals(session.folder), async ({ id, changes }) => {
    const { state, readySeconds } = await readState(session, timelock, id)
    const when = readySeconds === 0n ? '' : `, ready ${timeText(readySeconds)}`
    return [
      `${id}  ${state}${when}`,
      ...changes.map(({ name, wanted: expected }) => `  ${name}: ${expected}`),
    ]
  })
  terms.print(rows.length === 0 ? `no proposals in ${session.folder}` : rows.flat().join('\n'))
  return true
}

const timeText = (seconds: bigint): string => new Date(Number(seconds) * MS).toISOString()

async function readState(
  { chain }: DeploySession,
  timelock: Hex,
  id: Hex,
): Promise<Readonly<{ state: ProposalState; readySeconds: bigint }>> {
  const read = <T>(functionName: string, args: readonly unknown[]) =>
    chain.read<T>({ abi: governanceAbi as Abi, address: timelock, functionName, args })
  const [stateNumber, readySeconds, life, nowSeconds] = await Promise.all([
    read<number>('operationState', [id]),
    read<bigint>('readyTimestamp', [id]),
    read<bigint>('PROPOSAL_LIFE', []),
    chain.newestBlock().then(({ timestamp }) => timestamp),
  ])
  const state = STATES[stateNumber ?? 0] ?? 'unknown'
  const isExpired = state === 'ready' && nowSeconds > (readySeconds ?? 0n) + (life ?? 0n)
  return { state: isExpired ? 'expired' : state, readySeconds: readySeconds ?? 0n }
}

async function proposeChanges(
  work: AdminWork,
  [name, ...args]: readonly string[],
): Promise<boolean> {
  const { session, terms, parts, timelock } = work
  const actions =
    name === undefined ? await listDifferences(session, parts) : [makeAction(parts, name, args)]
  if (actions.length === 0) return reportDifferences(work)
  const values = await mapLimited(actions, (action) => action.read())
  const changes = actions.map((action, index) => ({ action, actual: values[index] ?? '' }))
  for (const { action, actual } of changes)
    terms.print(`${action.name}: ${actual} -> ${action.expected}`)
  const proposal = makeProposal(actions, terms.salt)
  const delay = await session.chain.read<bigint>({
    abi: governanceAbi as Abi,
    address: timelock,
    functionName: 'minDelay',
  })
  // The calls are on disk before they are visible on the chain.
  const stored = changes.map(({ action: { name: changeName, to, data, expected }, actual }) => ({
    name: changeName,
    to,
    data,
    stands: actual,
    wanted: expected,
  }))
  storeProposal(session.folder, { ...proposal, changes: stored })
  terms.print(`proposal ${proposal.id}, executable after ${delay} s`)
  return sendOrPrint(work, proposeData(proposal, delay ?? 0n))
}

/** Reports that nothing can be proposed, and the differences that no proposal can change. */
async function reportDifferences({ session, terms, parts }: AdminWork): Promise<boolean> {
  const fixed = await listFixed(session, parts)
  for (const difference of fixed) terms.print(differenceText(difference))
  terms.print(
    fixed.length === 0 ? 'the chain matches venue.json' : 'no proposal can fix these differences',
  )
  return fixed.length === 0
}

async function executeProposal(work: AdminWork, id: string): Promise<boolean> {
  const { session, terms, timelock, parts } = work
  const proposal = findProposal(session.folder, id)
  const { state, readySeconds } = await readState(session, timelock, proposal.id)
  const until = state === 'waiting' ? ` until ${timeText(readySeconds)}` : ''
  if (state !== 'ready')
    throw new ConfigInvalid(`proposal ${proposal.id} is ${state}${until}, expected ready`)
  for (const { name, stands: actual, wanted: expected } of proposal.changes)
    terms.print(`${name}: ${actual} (when proposed) -> ${expected}`)
  const isDone = await sendOrPrint(work, executeData(proposal))
  if (!isDone || terms.isPrinted) return isDone
  const steps = listSteps(session.chain, session.terms, parts.contracts)
  for (const { name } of proposal.changes) {
    const changed = steps.find((step) => step.name === name)
    if (changed !== undefined) terms.print(`${name}: ${await changed.read()}`)
  }
  return true
}

async function cancelProposal(work: AdminWork, id: string): Promise<boolean> {
  const proposal = findProposal(work.session.folder, id)
  work.terms.print(`cancelling proposal ${proposal.id}`)
  return sendOrPrint(work, cancelData(proposal.id))
}

/** Sends the guardian's actions. Values already in effect are skipped; failures are independent. */
async function runStops(
  work: AdminWork,
  word: string,
  subjects: readonly string[],
): Promise<boolean> {
  const { session, terms, parts } = work
  const { print } = terms
  const actions = await mapLimited(await listStops(parts, word, subjects), async (action) => ({
    ...action,
    actual: await action.read().catch(describeReadError),
  }))
  for (const { name, actual, expected } of actions)
    print(actual === expected ? `${name}: already ${actual}` : `${name}: ${actual} -> ${expected}`)
  const open = actions.filter(({ actual, expected }) => actual !== expected)
  if (terms.isPrinted) for (const { to, data } of open) print(`to   ${to}\ndata ${data}`)
  if (terms.isPrinted || open.length === 0) return true
  const account = await requireConfirmation(terms)
  if (account === undefined) return false
  const results = await sendAll(session, open, {
    account,
    gas: GUARDIAN_GAS,
    errors: errorsOf(parts),
  })
  for (const [index, result] of results.entries()) {
    const failed = 'failure' in result
    print(
      `${open[index]?.name}: ${failed ? formatTimes(result.failure) : `done in block ${result.block}`}`,
    )
  }
  return results.every((result) => !('failure' in result))
}

/** A value that the node cannot read does not block the action. */
function describeReadError(error: unknown): string {
  if (!(error instanceof BaseError)) throw error
  return `unknown (${nodeErrorText(error)})`
}

/** Formats the timestamps in errors of the contracts, which are in seconds. */
const formatTimes = (failure: string): string =>
  failure.replace(
    /NotYet\((\d+)\)/,
    (_, seconds: string) => `not before ${timeText(BigInt(seconds))}`,
  )

const errorsOf = ({ contracts }: ActionScope): Abi =>
  [...GOVERNANCE_ERRORS, ...contracts.flatMap(({ abi }) => abi)] as Abi

/** Returns the signer; undefined when the operator declines. */
async function requireConfirmation({ account, confirm }: AdminTerms) {
  if (account === undefined)
    throw new ConfigInvalid('ADMIN_KEY is missing: set it or ADMIN_KEY_FILE, or use --calldata')
  return (await confirm()) ? account : undefined
}

/** Sends `data` to the timelock, or prints it. */
async function sendOrPrint(
  { session, terms, timelock, parts }: AdminWork,
  data: Hex,
): Promise<boolean> {
  const { print } = terms
  if (terms.isPrinted) {
    print(`to   ${timelock}\ndata ${data}`)
    return true
  }
  const account = await requireConfirmation(terms)
  if (account === undefined) return false
  const sending = { account, gas: PROPOSAL_GAS, errors: errorsOf(parts) }
  const { hash, block } = await sendOnce(session, { to: timelock, data }, sending)
  print(`done in block ${block}: ${hash}`)
  return true
}
