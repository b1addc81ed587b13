// `npm run verify`: compares the chain with this checkout and venue.json.
import { join } from 'node:path'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { oneOf } from './admin/actions.ts'
import type { DeploymentRecord } from './apply/deployment-record.ts'
import { readJson } from './apply/durable-file.ts'
import { type Contract, type Placement, placeContracts } from './plan/contracts.ts'
import { listSteps } from './plan/steps.ts'
import type { Session } from './session.ts'
import { checkCode } from './verify/check-code.ts'
import { checkCommit } from './verify/check-commit.ts'
import { checkDomain } from './verify/check-domain.ts'
import { checkRecord } from './verify/check-record.ts'
import { checkRoles } from './verify/check-roles.ts'
import { checkSettings } from './verify/check-settings.ts'
import { type Difference, differenceText } from './verify/difference.ts'
import { explorerInputs, writeInputs } from './verify/explorer-inputs.ts'
import { publishSources } from './verify/publish.ts'
import { rebuild } from './verify/rebuild.ts'

export type VerifyTerms = Readonly<{
  /** Contracts to recompile; for others the committed code counts as compiled. */
  rebuilt: 'all' | 'none' | readonly string[]
  isPublished: boolean
  sourcifyUrl: string
  blockscoutUrl: string | undefined
  /** Signing domain of the services, if set in this environment. */
  typedDataDomain: string | undefined
  say(text: string): void
}>

/** Returns whether nothing differs. */
export async function verify(session: Session, terms: VerifyTerms): Promise<boolean> {
  const { say } = terms
  const record = readRecord(session)
  const contracts = placeContracts(session.terms, placementOf(record))
  const { chain } = session
  const verified = { chain, terms: session.terms, record, contracts }
  const steps = listSteps(chain, session.terms, contracts)
  const commit = checkCommit(record.commit)
  say(commit.says)
  const chosen = choose(contracts, terms.rebuilt)
  const build = chosen.length === 0 ? undefined : await rebuilt(chosen, say)
  const found = [
    ...(build === undefined ? [] : [...commit.differences, ...build.differences]),
    ...(await checkCode(verified)),
    ...(await checkRecord(verified)),
    ...(await checkDomain(verified, terms)),
    ...(await checkRoles(verified)),
    ...(await checkSettings({ ...verified, steps })),
  ]
  report(found, say)
  if (session.terms.domainName !== session.network.domainName)
    say(`services need TYPED_DATA_DOMAIN=${JSON.stringify(session.terms.domainName)}`)
  const taken = contracts.filter((contract) => !chosen.includes(contract))
  if (taken.length > 0) {
    const names = build === undefined ? '' : ` (${taken.map(({ name }) => name).join(', ')})`
    say(`not rebuilt${names}: the committed code was taken for what the sources give`)
  }
  if (build === undefined) return found.length === 0
  const inputs = explorerInputs(build, record, contracts)
  const folder = join(session.folder, 'explorer')
  writeInputs(folder, inputs)
  say(`wrote ${folder}`)
  if (found.length > 0 || !terms.isPublished) return found.length === 0
  const { sourcifyUrl, blockscoutUrl } = terms
  return publishSources(inputs, { chainId: record.chainId, sourcifyUrl, blockscoutUrl, say })
}

function choose(
  contracts: readonly Contract[],
  rebuilt: VerifyTerms['rebuilt'],
): readonly Contract[] {
  if (rebuilt === 'all' || rebuilt === 'none') return rebuilt === 'all' ? contracts : []
  const known = contracts.map(({ name }) => name)
  for (const name of rebuilt) oneOf('a contract of the venue', name, known)
  return contracts.filter(({ name }) => rebuilt.includes(name))
}

async function rebuilt(contracts: readonly Contract[], say: (text: string) => void) {
  say('compiling the contracts: about a minute')
  const startedMs = performance.now()
  const build = await rebuild(contracts)
  say(`compiled with ${build.compiler} in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  return build
}

/** Returns the content of deployment.json; throws `ConfigInvalid`. */
export function readRecord({ deploymentPath, network, networkName }: Session): DeploymentRecord {
  const record = readJson(deploymentPath) as DeploymentRecord | undefined
  if (record === undefined)
    throw new ConfigInvalid(`${deploymentPath} is missing: expected the file that deploy writes`)
  if (record.chainId !== network.chainId)
    throw new ConfigInvalid(
      `${deploymentPath} belongs to chain ${record.chainId}, not ${networkName}`,
    )
  return record
}

export const placementOf = ({ deployer, factory, nonce }: DeploymentRecord): Placement => ({
  deployer,
  factory: factory === 'create' ? 'create' : 'create2',
  nonce,
})

function report(found: readonly Difference[], say: (text: string) => void): void {
  for (const difference of found) say(differenceText(difference))
  say(found.length === 0 ? 'nothing differs' : countText(found.length))
}

const countText = (count: number) => (count === 1 ? '1 difference' : `${count} differences`)
