// Lists the calls that bring the chain to venue.json: those that a deployment leaves to the
// timelock, and the timelock's own delay and roles.
import type { Abi, Hex } from 'viem'
import { mapLimited } from '../chain/chain.ts'
import { NO_ADDRESS, type VenueTerms } from '../config/venue-terms.ts'
import { byName, type ContractName, requireContract } from '../plan/contracts.ts'
import { governedSteps, makePlan } from '../plan/plan.ts'
import { HANDED_OVER, listSteps } from '../plan/steps.ts'
import type { DeploySession } from '../session.ts'
import { checkRoles } from '../verify/check-roles.ts'
import { checkSettings } from '../verify/check-settings.ts'
import type { Difference } from '../verify/difference.ts'
import { readRecord } from '../verify-command.ts'
import { type Action, type ActionScope, makeAction, ROLES } from './actions.ts'

/** Returns a call for each difference that the timelock can change. */
export async function listDifferences(
  session: DeploySession,
  parts: ActionScope,
): Promise<readonly Action[]> {
  const { chain, terms, fees } = session
  const { contracts } = parts
  const steps = listSteps(chain, terms, contracts)
  const { deployer } = readRecord(session)
  const plan = await makePlan({ chain, deployer, contracts, steps, fees })
  const governed = governedSteps(plan).flatMap(({ step: { name, to, data, expected, read } }) =>
    to === undefined ? [] : [{ name, to, data, expected, read }],
  )
  const roles = await mapLimited(Object.keys(ROLES), (role) => listRoleChanges(parts, role))
  return [
    ...governed,
    ...(await listOfferWithdrawals(parts)),
    ...(await listDelayChange(parts)),
    ...roles.flat(),
  ]
}

async function listDelayChange(parts: ActionScope): Promise<readonly Action[]> {
  const expected = String(parts.terms.governance.delaySeconds)
  const change = makeAction(parts, 'set-delay', [expected])
  return (await change.read()) === expected ? [] : [change]
}

const HOLDERS: Readonly<Record<string, keyof VenueTerms['governance']>> = {
  proposer: 'proposers',
  executor: 'executors',
  canceller: 'cancellers',
}

/** Grants come before revocations, so that no role is ever left without a holder. */
async function listRoleChanges(parts: ActionScope, role: string): Promise<readonly Action[]> {
  const { abi, address } = requireContract(byName(parts.contracts), 'governance')
  const roleHolders = await parts.chain.read<readonly string[]>({
    abi: abi as Abi,
    address,
    functionName: 'roleHolders',
    args: [ROLES[role]],
  })
  const actual = (roleHolders ?? []).map((holder) => holder.toLowerCase())
  const expected = parts.terms.governance[HOLDERS[role] as 'proposers'].map(String)
  const missing = expected.filter((holder) => !actual.includes(holder.toLowerCase()))
  const allowed = expected.map((holder) => holder.toLowerCase())
  const foreign = actual.filter((holder) => !allowed.includes(holder))
  return [
    ...missing.map((holder) => makeAction(parts, 'grant', [role, holder])),
    ...foreign.map((holder) => makeAction(parts, 'revoke', [role, holder])),
  ]
}

/** Withdraws offers of ownership, which their recipient could otherwise accept at any time. */
async function listOfferWithdrawals(parts: ActionScope): Promise<readonly Action[]> {
  const contracts = byName(parts.contracts)
  const governance = requireContract(contracts, 'governance').address
  const owned: readonly ContractName[] = [...HANDED_OVER, 'insurance', 'fees']
  const actions = await mapLimited(owned, async (name) => {
    const contract = contracts[name]
    if (contract === undefined) return []
    const { abi, address } = contract
    const read = async (functionName: string) =>
      String(await parts.chain.read<Hex>({ abi, address, functionName })).toLowerCase()
    const isGoverned = (await read('owner')) === governance
    if (!isGoverned || (await read('pendingOwner')) === NO_ADDRESS) return []
    return [makeAction(parts, 'offer-ownership', [name, NO_ADDRESS])]
  })
  return actions.flat()
}

/** Returns the immutable differences: the steps of a market, or the owner of a contract. */
export async function listFixed(
  session: DeploySession,
  { chain, terms, contracts }: ActionScope,
): Promise<readonly Difference[]> {
  const verified = { chain, terms, contracts, record: readRecord(session) }
  const steps = listSteps(chain, terms, contracts)
  return [...(await checkRoles(verified)), ...(await checkSettings({ ...verified, steps }))]
}
