// GET /info suffices to start: it has contracts, ABIs and messages, and a Python program reads a
// trade from the chain with it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { ROLES } from '@openvenue/devnet/roles'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { type Abi, decodeEventLog, type Hex } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { type Messages, type PublishedInfo, read, readAbi, readInfo, request } from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

const PROGRAM = fileURLToPath(new URL('../../examples/python/last_trade.py', import.meta.url))
const PROGRAM_MS_MAX = 30_000
const HOUR_SECONDS = 3600
/** Blocks per request of logs. */
const LOG_BLOCKS = 2_000

let venue: TestVenue
let info: PublishedInfo
let rpc: ChainRpc
before(async () => {
  venue = await startVenue({ registerRate: undefined })
  info = await readInfo(venue.devnet.apiUrl)
  rpc = rpcAt(info.network.rpc_urls[0] ?? '')
})
after(() => venue?.remove())

const NAMES = ['accounts', 'spot', 'perps', 'lens'] as const
const listContracts = () => {
  const { oracles, ...contracts } = info.contracts
  return [...Object.values(contracts), ...oracles]
}

type Log = Readonly<{ address: string; topics: [Hex, ...Hex[]]; data: Hex }>

async function readLogs(): Promise<readonly Log[]> {
  const first = Math.min(...listContracts().map(({ from_block }) => from_block ?? 0))
  const head = Number(await rpc.call('eth_blockNumber'))
  const address = [...listContracts(), ...info.tokens].map((contract) => contract.address)
  const logs: Log[] = []
  for (let from = first; from <= head; from += LOG_BLOCKS) {
    const to = Math.min(head, from + LOG_BLOCKS - 1)
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
    logs.push(...((await rpc.call('eth_getLogs', { address, ...range })) as Log[]))
  }
  return logs
}

describe('GET /info', () => {
  test('GET /info names the contracts on chain', async () => {
    const { deployment } = venue.devnet
    for (const name of NAMES)
      assert.equal(info.contracts[name].address, deployment[name].toLowerCase(), name)
    assert.equal(info.network.chain_id, Number(await rpc.call('eth_chainId')))
    for (const { address, abi } of listContracts())
      assert.ok(String(await rpc.call('eth_getCode', address, 'latest')).length > 2, abi)
  })

  test('GET /info links to ABIs that decode every log of the venue', async () => {
    const abis = new Map<string, Abi>()
    for (const { address, abi_url } of [...listContracts(), ...info.tokens])
      abis.set(address, await readAbi(venue.devnet.apiUrl, abi_url))
    const seen = new Set<string>()
    for (const { address, topics, data } of await readLogs()) {
      const abi = abis.get(address) as Abi
      const { eventName = '' } = decodeEventLog({ abi, topics, data, strict: true })
      seen.add(eventName)
    }
    for (const name of ['Listed', 'Placed', 'Filled', 'Cancelled', 'Marked', 'Transfer'])
      assert.ok(seen.has(name), name)
  })

  test('GET /info publishes the messages of POST /register, for the API and for the chain', async () => {
    const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[3] })
    const key = privateKeyToAccount(generatePrivateKey())
    const account = wallet.address
    const expiry = Math.floor(Date.now() / 1000) + HOUR_SECONDS
    const grant = { account, key: key.address, expiry }
    const { api, accounts } = info.typed_data
    const of = (messages: Messages, name: string, message: object) => {
      const { domain, types, primaryType } = messages[name] ?? {}
      return { domain, types, primaryType, message } as never
    }
    const body = {
      account,
      signing_key: key.address,
      expiry,
      account_signature: await wallet.signTypedData(of(api, 'Register', grant)),
      signing_key_signature: await key.signTypedData(of(api, 'SignKey', { account })),
      on_chain: true,
      chain_account_signature: await wallet.signTypedData(of(accounts, 'RegisterKey', grant)),
      chain_signing_key_signature: await key.signTypedData(of(accounts, 'AcceptKey', grant)),
    }
    const answer = await request(venue.devnet.apiUrl, '/register', { body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
  })
})

type Trade = Readonly<Record<string, string>>

/** Returns the API's trade of that id once it is indexed. */
const findTrade = ({ trade_id, instrument_name }: Trade): Promise<Trade> =>
  until(`the API has trade ${trade_id}`, async () => {
    const path = `/markets/${instrument_name}/trades?limit=1000`
    const trades = await read<readonly Trade[]>(venue.devnet.apiUrl, path)
    return trades.find((trade) => trade.trade_id === trade_id)
  })

test('a Python program finds a trade from GET /info, equal to that of the API', async () => {
  const { stdout } = await promisify(execFile)('python3', ['-B', PROGRAM, venue.devnet.apiUrl], {
    timeout: PROGRAM_MS_MAX,
  })
  const read = JSON.parse(stdout) as Trade
  const trade = await findTrade(read)
  assert.ok(trade !== undefined, `${read.trade_id} is a trade of ${read.instrument_name}`)
  assert.deepEqual(read, Object.fromEntries(Object.keys(read).map((name) => [name, trade[name]])))
})
