// Checks the nodes of the chain, the contracts on it and the wallets that pay for gas.
import { CANCEL_LANE } from '@openvenue/core/relay'
import { connectNode, type RpcCall } from '@openvenue/runtime/json-rpc'
import { type Address, domainSeparator, formatUnits, toFunctionSelector } from 'viem'
import { bad, type Check, type Finding, messageOf, ok } from './finding.ts'
import type { Plan, Wallet } from './plan.ts'

const CALL_MS_MAX = 4_000
/** A block that is older: the chain has stopped, or a clock is wrong. */
const CLOCK_SECONDS_MAX = 60
/** Gas that a usual transaction of the keeper takes, an order of the relayer, and a cancel. */
const GAS = { keeper: 150_000n, order: 65_000n, cancel: 12_500n } as const
const BASE_FEE_ROOM = 2n
const COIN_DECIMALS = 18
/** Minimum number of transactions in a wallet's reserve. */
const LEFT_MIN = 1_000n
const ACCOUNTS = toFunctionSelector('function accounts()')
const SEPARATOR = toFunctionSelector('function domainSeparator()')

type Ask = (...calls: readonly RpcCall[]) => Promise<readonly unknown[]>

/** Returns a function that calls the node and throws when it refuses. */
function asker(url: string): Ask {
  return async (...calls) => {
    const node = connectNode({ url, timeoutMs: CALL_MS_MAX })
    try {
      const { replies } = await node.ask(calls)
      return replies.map(({ result, error }) => {
        if (error !== undefined) throw new Error(error.message ?? 'refused')
        return result
      })
    } finally {
      node.close()
    }
  }
}

const call = (method: string, ...params: readonly unknown[]): RpcCall => ({ method, params })
const latest = call('eth_getBlockByNumber', 'latest', false)

/** Returns the number of the newest block that the node has. */
export async function readHead(url: string): Promise<number> {
  const [block] = await asker(url)(latest)
  return Number((block as { number: string }).number)
}

export const checkNode =
  ({ chainId, nowMs }: Plan, url: string, item: string): Check =>
  async () => {
    const answers = await asker(url)(call('eth_chainId'), latest).catch((error: unknown) =>
      messageOf(error),
    )
    if (typeof answers === 'string')
      return [bad(item, answers, 'start the node, or set another in RPC_URL')]
    const [id, block] = answers as [string, { number: string; timestamp: string } | null]
    if (Number(id) !== chainId)
      return [
        bad(item, `chain id: got ${Number(id)}, expected ${chainId}`, 'set RPC_URL or CHAIN_ID'),
      ]
    if (block === null) return [bad(item, 'no block', 'wait until the node has synced')]
    const seconds = Math.round(nowMs() / 1000 - Number(block.timestamp))
    const head = `chain ${chainId}, block ${Number(block.number)}`
    if (Math.abs(seconds) <= CLOCK_SECONDS_MAX) return [ok(item, `${head}, ${seconds} s old`)]
    const how = seconds > 0 ? 'old' : 'in the future'
    const advice = "the node lags, the chain has stopped, or this machine's clock is wrong (NTP)"
    return [bad(item, `${head} is ${Math.abs(seconds)} s ${how}`, advice)]
  }

/** Checks that each address has code, and that the engines belong to these accounts. */
export const checkContracts =
  (plan: Plan): Check =>
  async () => {
    const {
      rpcUrls: [url = ''],
      deployment,
      chainId,
    } = plan
    if (deployment === undefined) return []
    const ask = asker(url)
    const { accounts, spot, perps, oracles, startBlock } = deployment
    const named: readonly (readonly [string, string])[] = [
      ['accounts', accounts],
      ['spot', spot],
      ['perps', perps],
      ...oracles.map((oracle, at): [string, string] => [`oracle ${at + 1}`, oracle]),
    ]
    const codes = await ask(...named.map(([, address]) => call('eth_getCode', address, 'latest')))
    const findings = named.map(([name, address], at): Finding => {
      const item = `contract ${name}`
      const isThere = typeof codes[at] === 'string' && codes[at] !== '0x'
      if (isThere) return ok(item, `code at ${address}`)
      return bad(item, `no code at ${address}`, 'set the DEPLOYMENT_FILE of this chain')
    })
    if (findings.some(({ isOk }) => !isOk)) return findings
    return [
      ...findings,
      await checkEngines(ask, deployment),
      await checkDomains(ask, plan, deployment),
      checkFile(chainId, deployment, await ask(latest), startBlock),
    ]
  }

async function checkEngines(
  ask: Ask,
  { accounts, spot, perps }: NonNullable<Plan['deployment']>,
): Promise<Finding> {
  const item = 'engines'
  const answers = await ask(
    ...[spot, perps].map((to) => call('eth_call', { to, data: ACCOUNTS }, 'latest')),
  )
  const ours = accounts.slice(2).toLowerCase()
  const isOurs = answers.every((account) => String(account).slice(-40) === ours)
  if (isOurs) return ok(item, 'both use this accounts contract')
  return bad(item, 'an engine uses another accounts contract', 'use the file that deploy wrote')
}

/** Checks that contracts verify the domain that clients sign in. */
async function checkDomains(
  ask: Ask,
  { domainName: name, chainId }: Plan,
  { accounts, spot, perps }: NonNullable<Plan['deployment']>,
): Promise<Finding> {
  const item = 'signing domain'
  const contracts = { accounts, spot, perps }
  const answers = await ask(
    ...Object.values(contracts).map((to) => call('eth_call', { to, data: SEPARATOR }, 'latest')),
  )
  const other = Object.entries(contracts).filter(([, address], at) => {
    const verifyingContract = address as Address
    const domain = { name, version: '1', chainId, verifyingContract }
    return String(answers[at]).toLowerCase() !== domainSeparator({ domain })
  })
  const expected = `"${name}" of chain ${chainId}`
  if (other.length === 0) return ok(item, `all verify ${expected}`)
  const names = other.map(([contract]) => contract).join(', ')
  return bad(item, `${names}: expected ${expected}`, 'set TYPED_DATA_DOMAIN, NETWORK or CHAIN_ID')
}

function checkFile(
  chainId: number,
  deployment: NonNullable<Plan['deployment']>,
  [block]: readonly unknown[],
  startBlock: number,
): Finding {
  const item = 'deployment file'
  const head = Number((block as { number?: string } | null)?.number ?? 0)
  const { chainId: id = chainId } = deployment
  if (id !== chainId)
    return bad(item, `chainId: got ${id}, expected ${chainId}`, 'set DEPLOYMENT_FILE or NETWORK')
  if (startBlock <= head) return ok(item, `starts at block ${startBlock}`)
  return bad(
    item,
    `startBlock: got ${startBlock}, expected at most ${head} (the newest block)`,
    'the node lags, or serves another chain',
  )
}

/** Balance of each wallet, as the number of transactions that it pays for. */
export const checkWallets =
  ({ rpcUrls: [url = ''], wallets }: Plan): Check =>
  async () => {
    if (wallets.length === 0) return []
    const ask = asker(url)
    const [[block], tip, balances] = await Promise.all([
      ask(latest),
      ask(call('eth_maxPriorityFeePerGas')).catch(() => ['0x0']),
      ask(...wallets.map(({ address }) => call('eth_getBalance', address, 'latest'))),
    ])
    const fee = BigInt((block as { baseFeePerGas?: string } | null)?.baseFeePerGas ?? '0x1')
    const offer = BASE_FEE_ROOM * fee + BigInt(String(tip[0]))
    return wallets.map((wallet, at) => fundsOf(wallet, BigInt(String(balances[at])), offer))
  }

function fundsOf({ name, address }: Wallet, wei: bigint, offer: bigint): Finding {
  const item = `wallet ${name}`
  const kind = name === 'keeper' ? 'keeper' : name === CANCEL_LANE ? 'cancel' : 'order'
  const left = wei / ((offer > 0n ? offer : 1n) * GAS[kind])
  const text = `${address} has ${formatUnits(wei, COIN_DECIMALS)}, enough for ${left} transactions`
  return left >= LEFT_MIN ? ok(item, text) : bad(item, text, "fund it with the chain's coin")
}
