// Compares the signing domain of the contracts with the one given to clients: with any difference
// in its name, the chain would refuse every order and key.
import { type Address, domainSeparator } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import { type Chain, mapLimited } from '../chain/chain.ts'
import type { VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, requireContract } from '../plan/contracts.ts'
import { compare, type Difference } from './difference.ts'

type DomainCheck = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
}>

/** Domain in the environment of services, if known. */
type ServiceDomain = Readonly<{ typedDataDomain: string | undefined }>

const SIGNED_FOR = ['accounts', 'spot', 'perps'] as const
const VERSION = '1'

type DomainAnswer = readonly [
  fields: string,
  name: string,
  version: string,
  chainId: bigint,
  verifyingContract: Address,
]

export async function checkDomain(
  verified: DomainCheck,
  { typedDataDomain }: ServiceDomain,
): Promise<readonly Difference[]> {
  const { terms, record, contracts } = verified
  const named = byName(contracts)
  const domains = await mapLimited(SIGNED_FOR, (name) =>
    checkContract(verified, requireContract(named, name)),
  )
  return [
    ...compareName('domainName of deployment.json', record.domainName, terms.domainName),
    ...(typedDataDomain === undefined
      ? []
      : compareName('TYPED_DATA_DOMAIN of this environment', typedDataDomain, terms.domainName)),
    ...domains.flat(),
  ]
}

async function checkContract(
  { chain, terms, record }: DomainCheck,
  { name, abi, address }: Contract,
): Promise<readonly Difference[]> {
  const read = <T>(functionName: string) => chain.read<T>({ abi, address, functionName })
  const expected = {
    name: terms.domainName,
    version: VERSION,
    chainId: record.chainId,
    verifyingContract: address,
  }
  const [answer, separator] = [
    await read<DomainAnswer>('eip712Domain'),
    await read<string>('domainSeparator'),
  ]
  return [
    ...compareName(`domain of ${name}`, domainText(answer), textOf(expected)),
    ...compare(`domain separator of ${name}`, separator, domainSeparator({ domain: expected })),
  ]
}

type Domain = Readonly<{
  name: string
  version: string
  chainId: number | bigint
  verifyingContract: string
}>

const textOf = ({ name, version, chainId, verifyingContract }: Domain): string =>
  `${JSON.stringify(name)} version ${version} of chain ${chainId} at ${verifyingContract.toLowerCase()}`

function domainText(answer: DomainAnswer | undefined): string {
  if (answer === undefined) return 'none'
  const [, name, version, chainId, verifyingContract] = answer
  return textOf({ name, version, chainId, verifyingContract })
}

/** Compares case-sensitively, unlike `compare`: signatures depend on case. */
const compareName = (subject: string, actual: string, expected: string): readonly Difference[] =>
  actual === expected ? [] : [{ subject, actual, expected }]
