// Metrics of a running venue: every series of the alerts and the dashboard exists, and tokens that
// leave an engine without a withdrawal are detected in that block.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { seriesIn } from '../../scripts/watch/dashboard.ts'
import { startVenue, type TestVenue } from './venue.ts'

const STOLEN = 1_234_567n
const WATCHED = ['ops/alerts.yml', 'ops/dashboard.json'].map((path) =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url)),
)
/** Exported only with FEED_URL: store/src/broadcast/nats-faults.test.ts. */
const OPTIONAL = ['openvenue_nats_connected']
const HISTOGRAM_ENDS = ['_bucket', '_count', '_sum']
const ENGINES = ['spot', 'perps'] as const
const thief = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] }).address

type Receipt = Readonly<{ blockNumber: string; status: string }>
/** A line of the text format: its name, labels and value. */
type Sample = Readonly<{ name: string; labels: string; value: number }>

let venue: TestVenue
let rpc: ChainRpc
before(async () => {
  venue = await startVenue()
  rpc = rpcAt(venue.devnet.rpcUrl)
})
after(() => venue?.remove())

async function readSamples(url: string): Promise<readonly Sample[]> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(/^([a-z_]+)(\{.*\})? (\S+)$/gm)].map(([, name = '', labels, value]) => ({
    name,
    labels: labels ?? '',
    value: Number(value),
  }))
}

/** Returns the value of the series of `name` whose labels contain all of `parts`. */
async function readValue(name: string, ...parts: readonly string[]): Promise<number | undefined> {
  const samples = await readSamples(venue.devnet.indexerUrl)
  const sample = samples.find(
    (sample) =>
      sample.name === `openvenue_indexer_${name}` && parts.every((p) => sample.labels.includes(p)),
  )
  return sample?.value
}

const ofUsdc = (engine: string) => [
  `engine="${engine}"`,
  `token="${venue.devnet.deployment.tokens.USDC.toLowerCase()}"`,
]

test('every series of the alerts and the dashboard is exported by the services', async () => {
  const { apiUrl, integratedUrl, indexerUrl, keeperUrl } = venue.devnet
  const exported = new Set<string>()
  for (const url of [apiUrl, integratedUrl, indexerUrl, keeperUrl]) {
    const text = await (await fetch(`${url}/metrics`)).text()
    for (const [, name = '', kind] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
      for (const end of kind === 'histogram' ? HISTOGRAM_ENDS : ['']) exported.add(name + end)
  }
  const series = WATCHED.flatMap((path) => seriesIn(readFileSync(path, 'utf8')))
  assert.ok(series.length > 30, 'they name series')
  assert.deepEqual(
    series.filter((name) => !exported.has(name) && !OPTIONAL.includes(name)),
    [],
  )
})

describe('the monitor of the claims of accounts', () => {
  test('claims of accounts equal engine balances after trades, funding and closes', async () => {
    for (const engine of ENGINES) {
      await until(
        `${engine} is compared`,
        async () => (await readValue('is_covered', ...ofUsdc(engine))) === 1,
      )
      const claimed = await readValue('claimed_tokens', ...ofUsdc(engine))
      assert.ok(claimed !== undefined && claimed > 0, engine)
      // Nothing was sent here without a deposit.
      await until(`${engine}: claims are holdings`, async () => {
        const samples = await readSamples(venue.devnet.indexerUrl)
        const of = (name: string) =>
          samples.find(
            (sample) =>
              sample.name === `openvenue_indexer_${name}` &&
              ofUsdc(engine).every((part) => sample.labels.includes(part)),
          )?.value
        return of('claimed_tokens') === of('held_tokens')
      })
    }
  })

  test('tokens sent to an engine without a deposit raise no alarm', async () => {
    const { tokens, spot } = venue.devnet.deployment
    const before = (await readValue('held_tokens', ...ofUsdc('spot'))) ?? 0
    await rpc.call('eth_sendTransaction', mintTo(tokens.USDC, spot))
    await until('the gift is seen', async () => {
      const custody = (await readValue('held_tokens', ...ofUsdc('spot'))) ?? 0
      const claimed = (await readValue('claimed_tokens', ...ofUsdc('spot'))) ?? 0
      return custody > claimed
    })
    assert.ok(before > 0)
    assert.equal(await readValue('is_covered', ...ofUsdc('spot')), 1)
    assert.equal(await readValue('shortfall_tokens', ...ofUsdc('spot')), 0)
  })

  test('tokens lost by an engine without a withdrawal are reported in that block, until they return', async () => {
    const { tokens, perps } = venue.devnet.deployment
    await isComparedAt(await move(tokens.USDC, perps, thief))
    assert.equal(await readValue('is_covered', ...ofUsdc('perps')), 0)
    assert.equal(await readValue('shortfall_tokens', ...ofUsdc('perps')), Number(STOLEN) / 1e6)
    assert.equal(await readValue('is_covered', ...ofUsdc('spot')), 1)
    await isComparedAt(await move(tokens.USDC, thief, perps))
    assert.equal(await readValue('is_covered', ...ofUsdc('perps')), 1)
    assert.equal(await readValue('shortfall_tokens', ...ofUsdc('perps')), 0)
  })
})

const isComparedAt = (block: number) =>
  until('the block is compared', async () => {
    const compared = await readValue('compared_block', ...ofUsdc('perps'))
    return compared !== undefined && compared >= block
  })

const mintTo = (token: string, holder: string) => {
  const { from, to, data, gas } = mint(thief, token, holder, STOLEN)
  return { from, to, data, gas: `0x${gas.toString(16)}` }
}

/** Has `from`, possibly an engine, send tokens like a bug would. Returns the block. */
async function move(token: string, from: string, to: string): Promise<number> {
  await rpc.call('anvil_impersonateAccount', from)
  await rpc.call('anvil_setBalance', from, `0x${(10n ** 18n).toString(16)}`)
  const args = [to as Hex, STOLEN] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const hash = await rpc.call('eth_sendTransaction', { from, to: token, data, gas: '0x30d40' })
  const readReceipt = async () =>
    (await rpc.call('eth_getTransactionReceipt', hash)) as Receipt | null
  const { status, blockNumber } = await until('the transfer is in a block', readReceipt)
  assert.equal(status, '0x1')
  return Number(blockNumber)
}
