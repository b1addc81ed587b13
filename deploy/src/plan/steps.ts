// Lists the steps of a deployment in order. Each can read whether it is done, so that a deployment
// can resume anywhere.
import type { Hex } from 'viem'
import type { Chain, ViewCall } from '../chain/chain.ts'
import { ANYBODY, NO_ADDRESS, type VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, type ContractName, requireContract } from './contracts.ts'
import { CALL_GAS, CREATION_GAS, initializeGas } from './gas.ts'
import { marketSteps } from './market-steps.ts'
import { bytes32 } from './names.ts'
import { callStep, type DeployStep } from './step.ts'

const DEPLOYED = 'deployed'
const NONE = 'none'

/** Contracts handed over to the timelock once they are set up. */
export const HANDED_OVER: readonly ContractName[] = [
  'oracle',
  'pythSource',
  'chainlinkSource',
  'spot',
  'perps',
]

export function listSteps(
  chain: Chain,
  terms: VenueTerms,
  contracts: readonly Contract[],
): readonly DeployStep[] {
  const named = byName(contracts)
  return [
    ...contracts.map((contract) => creationStep(chain, contract)),
    initializationStep(chain, terms, requireContract(named, 'governance')),
    ...guardianSteps(chain, terms.guardian, contracts),
    ...sourceSteps(chain, terms, contracts),
    ...marketSteps(chain, terms, named),
    ...handoverSteps(chain, contracts),
  ]
}

const creationStep = (chain: Chain, contract: Contract): DeployStep => ({
  name: contract.name,
  owned: undefined,
  to: contract.to,
  data: contract.data,
  gas: CREATION_GAS[contract.name],
  nonce: contract.nonce,
  expected: DEPLOYED,
  read: async () => ((await chain.code(contract.address)) === undefined ? NONE : DEPLOYED),
})

/** Reads an address or a number from a contract; `absent` is the value of a new one. */
const readText = async (chain: Chain, view: ViewCall, absent = NONE): Promise<string> =>
  String((await chain.read<unknown>(view)) ?? absent).toLowerCase()

/** A timelock that is not set up has the maximum delay. */
const UNSET_DELAY = 2n ** 256n - 1n

function initializationStep(chain: Chain, terms: VenueTerms, governance: Contract): DeployStep {
  const { delaySeconds, proposers, executors, cancellers } = terms.governance
  const view = { abi: governance.abi, address: governance.address, functionName: 'minDelay' }
  return callStep({
    name: 'governance roles and delay',
    contract: governance,
    functionName: 'initialize',
    args: [BigInt(delaySeconds), NO_ADDRESS, proposers, executors, cancellers],
    gas: initializeGas(proposers.length + executors.length + cancellers.length),
    expected: 'set',
    read: async () => {
      const delay = await chain.read<bigint>(view)
      return delay === undefined || delay === UNSET_DELAY ? NONE : 'set'
    },
    isPermissionless: true,
  })
}

/** Sets the guardian wherever there is something to stop. */
function guardianSteps(chain: Chain, guardian: Hex, contracts: readonly Contract[]): DeployStep[] {
  const guarded = contracts.filter(({ name }) => ['oracle', 'spot', 'perps'].includes(name))
  return guarded.map((contract) =>
    callStep({
      name: `guardian of ${contract.name}`,
      contract,
      functionName: 'setGuardian',
      args: [guardian],
      gas: CALL_GAS.role,
      expected: guardian,
      read: () =>
        readText(chain, {
          abi: contract.abi,
          address: contract.address,
          functionName: 'guardian',
        }),
    }),
  )
}

/** Sets the price source of each asset. The oracle's pusher is a constructor argument. */
function sourceSteps(
  chain: Chain,
  terms: VenueTerms,
  contracts: readonly Contract[],
): readonly DeployStep[] {
  const named = byName(contracts)
  const oracle = requireContract(named, 'oracle')
  const setting = (
    name: string,
    contract: Contract,
    [setter, getter]: readonly [string, string],
    [asset, value]: readonly [Hex, Hex],
  ) =>
    callStep({
      name,
      contract,
      functionName: setter,
      args: [asset, value],
      gas: CALL_GAS.feed,
      expected: value.toLowerCase(),
      read: () =>
        readText(
          chain,
          { abi: contract.abi, address: contract.address, functionName: getter, args: [asset] },
          NO_ADDRESS,
        ),
    })
  const pusher = callStep({
    name: 'pusher of oracle',
    contract: oracle,
    functionName: 'setPusher',
    args: [terms.oracle.pusher],
    gas: CALL_GAS.role,
    expected: terms.oracle.pusher,
    read: () =>
      readText(
        chain,
        { abi: oracle.abi, address: oracle.address, functionName: 'pusher' },
        terms.oracle.pusher,
      ),
  })
  const steps = terms.oracle.assets.flatMap(({ asset, source, feed }) => {
    const key = bytes32(asset)
    const reader = source === 'pusher' ? undefined : named[`${source}Source`]
    const readerAddress = reader?.address ?? NO_ADDRESS
    const toSource = setting(
      `source of ${asset}`,
      oracle,
      ['setSource', 'sourceOf'],
      [key, readerAddress],
    )
    if (reader === undefined || feed === undefined) return [toSource]
    return [setting(`feed of ${asset}`, reader, ['setFeed', 'feedOf'], [key, feed]), toSource]
  })
  return [pusher, ...steps]
}

/** Both halves of a transfer: the deployer offers, and any account has the timelock accept. */
function handoverSteps(chain: Chain, contracts: readonly Contract[]): readonly DeployStep[] {
  const governance = requireContract(byName(contracts), 'governance')
  const handed = contracts.filter(({ name }) => HANDED_OVER.includes(name))
  const read = (contract: Contract, functionName: string) =>
    readText(chain, { abi: contract.abi, address: contract.address, functionName })
  const offers = handed.map((contract) =>
    callStep({
      name: `offer of ${contract.name}`,
      contract,
      functionName: 'offerOwnership',
      args: [governance.address],
      gas: CALL_GAS.ownership,
      expected: governance.address,
      read: async () => {
        const owner = await read(contract, 'owner')
        return owner === governance.address ? owner : read(contract, 'pendingOwner')
      },
    }),
  )
  const acceptances = handed.map((contract) =>
    callStep({
      name: `owner of ${contract.name}`,
      contract: governance,
      functionName: 'acceptOwnership',
      args: [contract.address],
      gas: CALL_GAS.ownership,
      expected: governance.address,
      read: () => read(contract, 'owner'),
      isPermissionless: true,
    }),
  )
  return [...offers, ...acceptances]
}

/** Returns a role holder's name for display. */
export const holderText = (address: string): string =>
  address.toLowerCase() === ANYBODY ? 'anybody' : address.toLowerCase()
