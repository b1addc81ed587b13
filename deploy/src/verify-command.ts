// `npm run verify`: compares the chain with this checkout and venue.json.
import { join } from 'node:path'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { requireOneOf } from './admin/actions.ts'
import type { DeploymentRecord } from './apply/deployment-record.ts'
import { readJson } from './apply/durable-file.ts'
import { type Contract, type Placement, placeContracts } from './plan/contracts.ts'
import { listSteps } from './plan/steps.ts'
import type { DeploySession } from './session.ts'
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
  print(text: string): void
}>

/** Returns whether nothing differs. */
export async function verify(session: DeploySession, terms: VerifyTerms): Promise<boolean> {
  const { print } = terms
  const record = readRecord(session)
  const contracts = placeContracts(session.terms, placementOf(record))
  const { chain } = session
  const verified = { chain, terms: session.terms, record, contracts }
  const steps = listSteps(chain, session.terms, contracts)
  const commit = checkCommit(record.commit)
  print(commit.summary)
  const chosen = chooseContracts(contracts, terms.rebuilt)
  const build = chosen.length === 0 ? undefined : await compileChosen(chosen, print)
  const differences = [
    ...(build === undefined ? [] : [...commit.differences, ...build.differences]),
    ...(await checkCode(verified)),
    ...(await checkRecord(verified)),
    ...(await checkDomain(verified, terms)),
    ...(await checkRoles(verified)),
    ...(await checkSettings({ ...verified, steps })),
  ]
  reportDifferences(differences, print)
  if (session.terms.domainName !== session.network.domainName)
    print(`services need TYPED_DATA_DOMAIN=${JSON.stringify(session.terms.domainName)}`)
  const trusted = contracts.filter((contract) => !chosen.includes(contract))
  if (trusted.length > 0) {
    const names = build === undefined ? '' : ` (${trusted.map(({ name }) => name).join(', ')})`
    print(`not rebuilt${names}: the committed code was not compared with the sources`)
  }
  if (build === undefined) return differences.length === 0
  const inputs = explorerInputs(build, record, contracts)
  const folder = join(session.folder, 'explorer')
  writeInputs(folder, inputs)
  print(`wrote ${folder}`)
  if (differences.length > 0 || !terms.isPublished) return differences.length === 0
  const { sourcifyUrl, blockscoutUrl } = terms
  return publishSources(inputs, { chainId: record.chainId, sourcifyUrl, blockscoutUrl, print })
}

function chooseContracts(
  contracts: readonly Contract[],
  rebuilt: VerifyTerms['rebuilt'],
): readonly Contract[] {
  if (rebuilt === 'all' || rebuilt === 'none') return rebuilt === 'all' ? contracts : []
  const names = contracts.map(({ name }) => name)
  for (const name of rebuilt) requireOneOf('contract', name, names)
  return contracts.filter(({ name }) => rebuilt.includes(name))
}

async function compileChosen(contracts: readonly Contract[], print: (text: string) => void) {
  print('compiling the contracts (about a minute)')
  const fromMs = performance.now()
  const build = await rebuild(contracts)
  print(`compiled with ${build.compiler} in ${Math.round((performance.now() - fromMs) / 1000)} s`)
  return build
}

/** Returns the content of deployment.json; throws `ConfigInvalid`. */
export function readRecord({
  deploymentPath,
  network,
  networkName,
}: DeploySession): DeploymentRecord {
  const record = readJson(deploymentPath) as DeploymentRecord | undefined
  if (record === undefined)
    throw new ConfigInvalid(`${deploymentPath} is missing: expected the file written by deploy`)
  if (record.chainId !== network.chainId)
    throw new ConfigInvalid(
      `chainId of ${deploymentPath} is wrong: got ${record.chainId}, expected ${network.chainId}, the chain of ${networkName}`,
    )
  return record
}

export const placementOf = ({ deployer, factory, nonce }: DeploymentRecord): Placement => ({
  deployer,
  factory: factory === 'create' ? 'create' : 'create2',
  nonce,
})

function reportDifferences(differences: readonly Difference[], print: VerifyTerms['print']): void {
  for (const difference of differences) print(differenceText(difference))
  print(differences.length === 0 ? 'no differences' : countText(differences.length))
}

const countText = (count: number) => (count === 1 ? '1 difference' : `${count} differences`)
