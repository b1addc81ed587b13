// `npm run deploy`: plan, confirm, apply, verify, and write deployment.json.
import { existsSync } from 'node:fs'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import type { Abi, Hex, PrivateKeyAccount } from 'viem'
import { applyPlan } from './apply/apply.ts'
import { recordDeployment } from './apply/deployment-record.ts'
import { claimFolder, writeDurably } from './apply/durable-file.ts'
import { type Basis, Journal } from './apply/journal.ts'
import { Sender } from './apply/sender.ts'
import { type Chain, mapLimited } from './chain/chain.ts'
import type { ConfigFault } from './config/check-shape.ts'
import { VenueFileInvalid, type VenueTerms } from './config/venue-terms.ts'
import { byName, type Contract, FACTORY, type Placement, placeContracts } from './plan/contracts.ts'
import { costMax, makePlan, openSteps, type Plan, placedTable } from './plan/plan.ts'
import { planText } from './plan/plan-text.ts'
import type { DeployStep } from './plan/step.ts'
import { listSteps } from './plan/steps.ts'
import type { DeploySession } from './session.ts'
import { verify } from './verify-command.ts'

/** Maximum number of earlier nonces to check: a deployer's key has hardly any other use. */
const NONCES_MAX = 64

/** Returns the timelock of a venue with the same salt that started at an earlier nonce. */
async function findEarlier(
  chain: Chain,
  terms: VenueTerms,
  placement: Placement,
): Promise<Hex | undefined> {
  const first = Math.max(0, placement.nonce - NONCES_MAX)
  const nonces = Array.from({ length: placement.nonce - first }, (_, index) => first + index)
  const timelocks = await mapLimited(nonces, async (nonce) => {
    const contracts = placeContracts(terms, { ...placement, nonce })
    // An unfinished deployment does not count. `perps` is created near the end, so that one read
    // usually suffices.
    const { governance, perps } = byName(contracts)
    for (const contract of [perps, ...contracts])
      if (contract === undefined || (await chain.code(contract.address)) === undefined) return
    return governance?.address
  })
  return timelocks.find((address) => address !== undefined)
}

type DeployTerms = Readonly<{
  /** Absent: nothing is sent, and `from` is the deployer. */
  account: PrivateKeyAccount | undefined
  from: Hex | undefined
  isDryRun: boolean
  /** Asks whether to continue. */
  confirm(): Promise<boolean>
  print(text: string): void
}>

type DeployWork = Readonly<{
  session: DeploySession
  terms: DeployTerms
  journal: Journal
  contracts: readonly Contract[]
  steps: readonly DeployStep[]
}>

const PUBLIC = 0o644
/** Placeholder in the plan when no deployer is known. */
const ANY_DEPLOYER: Hex = '0x00000000000000000000000000000000000000aa'

/** Returns whether the venue is on chain as required. */
export async function deploy(session: DeploySession, terms: DeployTerms): Promise<boolean> {
  if (terms.isDryRun) return dryRun(session, terms)
  const { account } = terms
  if (account === undefined)
    throw new ConfigInvalid('DEPLOYER_KEY is missing: set it or DEPLOYER_KEY_FILE to pay for gas')
  const release = claimFolder(session.folder)
  try {
    const work = await prepare(session, terms, account.address.toLowerCase() as Hex)
    return await applyAndVerify(work, account)
  } finally {
    release()
  }
}

async function dryRun(session: DeploySession, terms: DeployTerms): Promise<boolean> {
  const journal = Journal.find(session.journalPath)
  const from = terms.from ?? terms.account?.address ?? journal?.basis.deployer ?? ANY_DEPLOYER
  const work = await prepare(session, terms, from.toLowerCase() as Hex)
  const plan = await planWork(work)
  if (from === ANY_DEPLOYER) terms.print('no deployer given (--from): final addresses will differ')
  terms.print(planText(plan, session.network.currency))
  return true
}

async function prepare(
  session: DeploySession,
  terms: DeployTerms,
  deployer: Hex,
): Promise<DeployWork> {
  const { chain, journalPath, network } = session
  refuseRoles(session.terms, deployer)
  const stored = Journal.find(journalPath)
  if (stored !== undefined && stored.basis.deployer !== deployer)
    throw new ConfigInvalid(
      `deployer differs from ${journalPath}: got ${deployer}, expected ${stored.basis.deployer}`,
    )
  const basis = stored?.basis ?? (await createBasis(session, deployer))
  if (stored === undefined) await refuseRepeat(session, basis)
  const { chainId, salt } = basis
  if (chainId !== network.chainId || salt !== session.terms.salt)
    throw new ConfigInvalid(
      `chain or salt differs from ${journalPath}: got chain ${network.chainId} and salt ` +
        `${session.terms.salt}, expected chain ${chainId} and salt ${salt}`,
    )
  const contracts = placeContracts(session.terms, basis)
  if (stored === undefined) await refuseTaken(session, contracts)
  const journal = stored ?? Journal.begin(journalPath, basis)
  journal.recordContracts(placedTable(contracts))
  return { session, terms, journal, contracts, steps: listSteps(chain, session.terms, contracts) }
}

/** The deployer's key was on a machine that others may have accessed: it must not hold a role. */
function refuseRoles({ governance, guardian, oracle }: VenueTerms, deployer: Hex): void {
  const holders: readonly (readonly [string, readonly Hex[]])[] = [
    ['governance.proposers', governance.proposers],
    ['governance.executors', governance.executors],
    ['governance.cancellers', governance.cancellers],
    ['guardian', [guardian]],
    ['oracle.pusher', [oracle.pusher]],
  ]
  const faults = holders.flatMap(([path, addresses]): ConfigFault[] =>
    addresses.includes(deployer)
      ? [{ path, rule: 'an address other than the deployer', got: deployer }]
      : [],
  )
  if (faults.length > 0) throw new VenueFileInvalid(faults)
}

async function createBasis(
  { chain, terms, network }: DeploySession,
  deployer: Hex,
): Promise<Basis> {
  const [nonce, factory, { number }] = await Promise.all([
    chain.nonce(deployer),
    chain.code(FACTORY),
    chain.newestBlock(),
  ])
  return {
    chainId: network.chainId,
    deployer,
    factory: factory === undefined ? 'create' : 'create2',
    nonce,
    salt: terms.salt,
    block: Number(number),
  }
}

/** A venue whose journal was lost must not be deployed a second time. */
async function refuseRepeat(
  { chain, terms, folder }: DeploySession,
  basis: Placement,
): Promise<void> {
  const earlier = await findEarlier(chain, terms, basis)
  if (earlier === undefined) return
  throw new ConfigInvalid(
    `this deployer has already deployed this venue: its timelock is ${earlier}. Restore journal.json ` +
      `and deployment.json in ${folder}, or set another salt in venue.json`,
  )
}

/**
 * Anyone who knows a plan can create its contracts first. They are identical, but their first logs
 * precede the block at which indexers start.
 */
async function refuseTaken(
  { chain }: DeploySession,
  contracts: readonly Contract[],
): Promise<void> {
  const codes = await mapLimited(contracts, ({ address }) => chain.code(address))
  const taken = contracts.find((_, index) => codes[index] !== undefined)
  if (taken === undefined) return
  throw new ConfigInvalid(
    `${taken.name} already exists at ${taken.address}: set another salt in venue.json`,
  )
}

const planWork = ({ session, contracts, steps, journal }: DeployWork): Promise<Plan> =>
  makePlan({
    chain: session.chain,
    deployer: journal.basis.deployer,
    contracts,
    steps,
    fees: session.fees,
  })

async function applyAndVerify(work: DeployWork, account: PrivateKeyAccount): Promise<boolean> {
  const { session, terms, journal, contracts, steps } = work
  const { chain, fees, network } = session
  const errors = contracts.flatMap(({ abi }) => abi) as Abi
  const { print } = terms
  const sender = new Sender({
    chain,
    chainId: network.chainId,
    account,
    fees,
    journal,
    errors,
    print,
  })
  await sender.settle(steps)
  const plan = await planWork(work)
  print(planText(plan, network.currency))
  if (openSteps(plan).length > 0) {
    requireFunds(plan)
    if (!(await terms.confirm())) return false
    const { finalityBlocks } = network
    const replan = () => planWork(work)
    await applyPlan(plan, { chain, sender, journal, finalityBlocks, plan: replan, print })
  }
  await writeRecord(work)
  const options = {
    rebuilt: 'none' as const,
    isPublished: false,
    sourcifyUrl: '',
    blockscoutUrl: undefined,
    typedDataDomain: undefined,
  }
  return verify(session, { ...options, print })
}

function requireFunds(plan: Plan): void {
  const cost = costMax(plan)
  if (plan.balance < cost)
    throw new ConfigInvalid(
      `balance of ${plan.deployer} is too low: got ${plan.balance} wei, expected at least ${cost} wei`,
    )
}

/** Writes the record once: contracts do not change, and the journal may be deleted later. */
async function writeRecord({ session, journal, contracts, terms }: DeployWork): Promise<void> {
  const { chain, deploymentPath } = session
  if (journal.entries.length === 0 || existsSync(deploymentPath)) return
  const record = await recordDeployment({ chain, terms: session.terms, contracts, journal })
  // Services read it under different users; it contains no secrets.
  writeDurably(deploymentPath, `${JSON.stringify(record, null, 2)}\n`, PUBLIC)
  terms.print(`wrote ${deploymentPath}`)
}
