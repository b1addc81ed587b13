// Detects contracts that verify signatures in a domain other than the clients': every order and key
// that this node accepts would be refused on the chain.
import { setTimeout as delay } from 'node:timers/promises'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { connectNode, type RpcCall } from '@openvenue/runtime/json-rpc'
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { type DomainSettings, domainSeparator } from '../orders/rules/signed-order.ts'
import type { PublishedContracts } from '../rest/published.ts'

const TIMEOUT_MS = 5_000
const ANSWER_BYTES_MAX = 64 * 1024
const RETRY_MS = 2_000
const WORD = /^0x[0-9a-f]{64}$/i

/** Contracts that verify signatures, each in a domain of its own. */
const SIGNED_FOR = ['accounts', 'spot', 'perps'] as const

const ABI = parseAbi([
  'function domainSeparator() view returns (bytes32)',
  'function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
])

type DomainCheckSettings = DomainSettings &
  Readonly<{ rpcUrls: readonly string[]; contracts: PublishedContracts }>

type ChainNode = ReturnType<typeof connectNode>
type ExpectedContract = Readonly<{ name: string; address: string; wanted: string }>

/**
 * Asks until a node has answered for each contract of the deployment. Rejects with `ConfigInvalid`
 * when one has another domain according to every node that answers: one wrong node of several ends
 * nothing. Does not keep a finished process alive.
 */
export async function refuseOtherDomain(
  settings: DomainCheckSettings,
  retryMs = RETRY_MS,
): Promise<void> {
  const nodes = settings.rpcUrls.map((url) =>
    connectNode({ url, timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }),
  )
  let left = listContracts(settings)
  for (;;) {
    const compared = left.map((contract) => compare(nodes, contract, settings))
    const results = await Promise.allSettled(compared)
    // The first of several is reported, whichever answered first.
    for (const result of results) if (result.status === 'rejected') throw result.reason
    left = left.filter((_, at) => {
      const result = results[at]
      return result?.status === 'fulfilled' && !result.value
    })
    if (left.length === 0) return
    await delay(retryMs, undefined, { ref: false })
  }
}

const listContracts = ({
  contracts,
  ...domain
}: DomainCheckSettings): readonly ExpectedContract[] =>
  SIGNED_FOR.flatMap((name) => {
    const address = contracts[name]
    if (address === undefined) return []
    return [{ name, address, wanted: `0x${domainSeparator(domain, address)}` }]
  })

/** Returns whether a node reports our domain; false while none answers. */
async function compare(
  nodes: readonly ChainNode[],
  contract: ExpectedContract,
  settings: DomainCheckSettings,
): Promise<boolean> {
  const { name, address, wanted } = contract
  const answers = await Promise.all(nodes.map((node) => askView(node, address, 'domainSeparator')))
  const words = answers.map((answer) => (WORD.test(answer ?? '') ? answer?.toLowerCase() : ''))
  if (words.includes(wanted)) return true
  const other = nodes[words.findIndex((word) => word !== '')]
  if (other === undefined) return false
  const contractDomain = describeDomain(await askView(other, address, 'eip712Domain'))
  const { domainName, chainId } = settings
  throw new ConfigInvalid(
    `Typed-data domain of ${name} at ${address} differs: got ${contractDomain}, expected ` +
      `"${domainName}" version 1 of chain ${chainId}; set TYPED_DATA_DOMAIN, NETWORK or DEPLOYMENT_FILE`,
  )
}

/** Returns the contract's answer; undefined without a valid one. */
async function askView(
  { ask }: ChainNode,
  to: string,
  functionName: 'domainSeparator' | 'eip712Domain',
): Promise<Hex | undefined> {
  const data = encodeFunctionData({ abi: ABI, functionName })
  const call: RpcCall = { method: 'eth_call', params: [{ to, data }, 'latest'] }
  try {
    const result = (await ask([call])).replies[0]?.result
    return typeof result === 'string' ? (result as Hex) : undefined
  } catch {
    // Readiness reports an unavailable node.
    return undefined
  }
}

/** Describes the domain by the contract's own answer, if it can be read. */
function describeDomain(data: Hex | undefined): string {
  if (data === undefined) return 'another domain'
  try {
    const answer = decodeFunctionResult({ abi: ABI, functionName: 'eip712Domain', data })
    const [, name, version, chainId, contract] = answer
    return `${JSON.stringify(name)} version ${version} of chain ${chainId} at ${contract}`
  } catch {
    return 'another domain'
  }
}
