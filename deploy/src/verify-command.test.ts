// Findings of verify, one at a time: on the chain, in venue.json, in deployment.json and in the
// checkout. Sources are recompiled, written for explorers, and published to a test explorer.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { accountsBytecode } from '@openvenue/contracts/abi/accounts'
import { pythSourceBytecode } from '@openvenue/contracts/abi/pyth-source'
import { type CompilerInput, readCompilerInput } from '@openvenue/contracts/scripts/compiler-input'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { concat, type Hex, keccak256, toHex } from 'viem'
import { type ArcChain, createToken, startArcChain } from '../test/arc-chain.ts'
import { readRecord, start } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import type { DeploymentRecord } from './apply/deployment-record.ts'
import type { VenueFile } from './config/venue-schema.ts'
import { openSession } from './session.ts'
import type { ExplorerInput } from './verify/explorer-inputs.ts'
import { type VerifyTerms, verify } from './verify-command.ts'

/** One has immutables; each has libraries and constructor arguments. */
const REBUILT = ['accounts', 'pythSource'] as const
const COMMITTED = { accounts: accountsBytecode, pythSource: pythSourceBytecode }
const OTHER = `0x${'5e'.repeat(20)}` as const
/** Slot of `walletOf` in Accounts. */
const WALLETS_SLOT = 3
const STRANGER = `0x${'00'.repeat(12)}${'5e'.repeat(20)}` as const

let chain: ArcChain
let folder: string
let config: string
let venue: VenueFile
let record: DeploymentRecord
before(async () => {
  chain = await startArcChain()
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  venue = smallVenue({ wallets: chain.wallets, eth })
  const written = writeVenue(venue)
  folder = written.folder
  config = written.path
  const paths = { chain, folder, config, key: derivePrivateKey(9) }
  // A checkout without its history has no commit, so that current changes do not count.
  const also = { GIT_DIR: join(folder, 'none') }
  const { code, out, err } = await start(paths, 'deploy', ['--yes'], also).ended
  assert.equal(code, 0, `${out}${err}`)
  record = readRecord(folder)
})
after(async () => {
  await chain?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

/** Runs verify; returns whether nothing differs, and the output. */
async function runVerify(also: Partial<VerifyTerms> = {}, path = config) {
  const lines: string[] = []
  const session = await openSession(
    { network: 'testnet', rpc: chain.url, dir: folder, config: path },
    {},
  )
  const isSame = await verify(session, {
    rebuilt: 'none',
    isPublished: false,
    sourcifyUrl: '',
    blockscoutUrl: undefined,
    typedDataDomain: undefined,
    print: (text) => void lines.push(text),
    ...also,
  })
  return { isSame, out: lines.join('\n') }
}

type ChainCase = Readonly<{
  title: string
  /** Applies the change, and returns the function that reverts it. */
  change(): Promise<() => unknown>
  /** Expected beginnings of output lines. */
  lines: readonly string[]
}>

const slot = (number: number) => toHex(number, { size: 32 })

async function setSlot(address: Hex, at: Hex, word: Hex) {
  const before = await chain.rpc.call('eth_getStorageAt', address, at, 'latest')
  await chain.rpc.call('anvil_setStorageAt', address, at, word)
  return () => chain.rpc.call('anvil_setStorageAt', address, at, before)
}

/** Replaces the address `inside` within the code. */
async function setInside(address: Hex, inside: Hex) {
  const code = String(await chain.rpc.call('eth_getCode', address, 'latest'))
  const bare = inside.slice(2).toLowerCase()
  assert.ok(code.includes(bare))
  await chain.rpc.call('anvil_setCode', address, code.replaceAll(bare, OTHER.slice(2)))
  return () => chain.rpc.call('anvil_setCode', address, code)
}

/** Slot of a mapping's entry. */
const entryOf = (key: Hex, mapping: number) => keccak256(concat([key, slot(mapping)]))

const addressOf = (name: string): Hex => record.contracts[name]?.address ?? assert.fail(name)

const chainCases: readonly ChainCase[] = [
  {
    title: 'verify reports another owner of a contract',
    change: () => setSlot(record.spot, slot(0), STRANGER),
    lines: [`owner of spot: got ${OTHER}, expected `],
  },
  {
    title: 'verify reports another wallet of insurance',
    change: () => setSlot(record.accounts, entryOf(slot(1), WALLETS_SLOT), STRANGER),
    lines: [`walletOf 1 of accounts: got ${OTHER}, expected `],
  },
  {
    title: 'verify reports an engine with another accounts contract',
    change: () => setInside(record.perps, record.accounts),
    lines: [
      `accounts of perps: got ${OTHER}, expected `,
      'immutable of perps: ',
      'runtime code hash of perps: ',
    ],
  },
  {
    title: 'verify reports a price source with another store',
    change: () => setInside(addressOf('pythSource'), addressOf('oracle')),
    lines: [
      `store of pythSource: got ${OTHER}, expected `,
      'immutable of pythSource: ',
      'runtime code hash of pythSource: ',
    ],
  },
  {
    title: 'verify reports a contract whose code is gone',
    change: async () => {
      const code = await chain.rpc.call('eth_getCode', record.lens, 'latest')
      await chain.rpc.call('anvil_setCode', record.lens, '0x')
      return () => chain.rpc.call('anvil_setCode', record.lens, code)
    },
    lines: [
      'lens: got none, expected deployed',
      'code of lens: got none',
      'runtime code hash of lens: got none',
    ],
  },
]
describe('changes on the chain', () => {
  for (const { title, change, lines } of chainCases)
    test(title, async () => {
      const undo = await change()
      const { isSame, out } = await runVerify().finally(undo)
      assert.equal(isSame, false)
      assertLines(out, lines)
    })
})

function assertLines(out: string, beginnings: readonly string[]): void {
  const differences = out.split('\n').filter((line) => /, expected /.test(line))
  assert.equal(differences.length, beginnings.length, out)
  for (const beginning of beginnings)
    assert.ok(
      differences.some((line) => line.startsWith(beginning)),
      `${beginning}\n${out}`,
    )
}

type VenueCase = Readonly<{ title: string; venueFile: () => VenueFile; lines: readonly string[] }>
const [spot, perp] = [
  () => venue.spot[0] ?? assert.fail(),
  () => venue.perpetuals[0] ?? assert.fail(),
]
const withRoles = (roles: Partial<VenueFile['governance']>) => ({
  ...venue,
  governance: { ...venue.governance, ...roles },
})
const withAssets = (assets: Partial<VenueFile['oracle']['assets']>) => ({
  ...venue,
  oracle: { ...venue.oracle, assets: { ...venue.oracle.assets, ...assets } } as VenueFile['oracle'],
})

const venueCases: readonly VenueCase[] = [
  {
    title: 'verify reports another proposer',
    venueFile: () => withRoles({ proposers: [OTHER] }),
    lines: ['proposer of governance: '],
  },
  {
    title: 'verify reports executors restricted to an account',
    venueFile: () => withRoles({ executors: [OTHER] }),
    lines: [`executor of governance: got anybody, expected ${OTHER}`],
  },
  {
    title: 'verify reports an additional canceller',
    venueFile: () => withRoles({ cancellers: [...venue.governance.cancellers, OTHER] }),
    lines: ['canceller of governance: '],
  },
  {
    title: 'verify reports another guardian for every contract with a guardian',
    venueFile: () => ({ ...venue, guardian: OTHER }),
    lines: ['oracle', 'spot', 'perps'].map((name) => `guardian of ${name}: `),
  },
  {
    title: 'verify reports another source of an asset',
    venueFile: () => withAssets({ ETH: { source: 'chainlink', feed: OTHER } }),
    lines: ['source of ETH: ', 'feed of ETH: '],
  },
  {
    title: 'verify reports another feed of an asset',
    venueFile: () => withAssets({ SOL: { source: 'chainlink', feed: OTHER } }),
    lines: [`feed of SOL: got 0x6{40}, expected ${OTHER}`.replace('6{40}', '6'.repeat(40))],
  },
  {
    title: 'verify reports an additional market',
    venueFile: () => ({
      ...venue,
      perpetuals: [perp(), { ...perp(), name: 'SOL-PERP', asset: 'SOL', maxLeverage: 10 }],
    }),
    lines: [
      'list SOL-PERP: got not listed, expected market 2 of perps',
      'index age of SOL-PERP: ',
      'number of markets of perps: got 1, expected 2',
    ],
  },
  {
    title: 'verify reports a missing market',
    venueFile: () => ({ ...venue, spot: [], outflow: { spot: {} } }),
    lines: ['number of markets of spot: got 1, expected 0'],
  },
  {
    title: 'verify reports another name of a market',
    venueFile: () => ({ ...venue, spot: [{ ...spot(), name: 'ETH-USD' }] }),
    lines: ['name of market 1 of spot: got eth-usdc, expected eth-usd'],
  },
  {
    title: 'verify reports another asset of a market',
    venueFile: () => ({ ...venue, perpetuals: [{ ...perp(), asset: 'SOL' }] }),
    lines: ['asset of ETH-PERP: got eth, expected sol'],
  },
  {
    title: 'verify reports other steps of a market',
    venueFile: () => ({ ...venue, spot: [{ ...spot(), priceStep: '0.02' }] }),
    lines: ['steps of ETH-USDC: '],
  },
]

describe('changes in venue.json', () => {
  for (const { title, venueFile, lines } of venueCases)
    test(title, async () => {
      const { isSame, out } = await runVerify({}, writeVenue(venueFile()).path)
      assert.equal(isSame, false)
      assertLines(out, lines)
    })
})

/** Changed members of deployment.json, by path, and the expected report. */
const forged: readonly (readonly [string, unknown, string])[] = [
  ['spot', OTHER, `spot of deployment.json: got ${OTHER}, expected `],
  ['oracles', [OTHER], `oracles of deployment.json: got ${OTHER}, expected `],
  ['treasury', OTHER, `treasury of deployment.json: got ${OTHER}, expected `],
  ['solc', '0.8.1', 'solc of deployment.json: got 0.8.1, expected 0.8.37'],
  ['tokens.ETH', OTHER, `tokens.ETH of deployment.json: got ${OTHER}, expected `],
  ['startBlock', 1_000_000, 'startBlock of deployment.json: got 1000000, expected '],
  ['contracts.lens.address', OTHER, `address of lens: got ${OTHER}, expected `],
  ['contracts.lens.source', 'Spot', 'lens.source of deployment.json: got spot, expected lens'],
  [
    'contracts.lens.initCodeHash',
    slot(7),
    `creation code of lens (deployed from commit unknown): `,
  ],
  ['contracts.lens.runtimeCodeHash', slot(7), 'runtime code hash of lens: '],
  [
    'contracts.spot.arguments',
    [OTHER],
    `spot.arguments of deployment.json: got ${OTHER}, expected `,
  ],
]

describe('changes in deployment.json', () => {
  for (const [member, value, beginning] of forged)
    test(`verify reports a wrong ${member} of deployment.json`, async () => {
      const { isSame, out } = await withRecord(member, value)
      assert.equal(isSame, false)
      // A start block that is too late is reported for every contract.
      for (const line of out.split('\n').filter((text) => /, expected /.test(text)))
        assert.ok(line.startsWith(beginning), out)
      assert.match(out, /, expected /)
    })

  test('verify reports a contracts.lens.tx that created another contract', async () => {
    const { isSame, out } = await withRecord('contracts.lens.tx', record.contracts.spot?.tx)
    assert.equal(isSame, false)
    assertLines(out, ['lens.tx of deployment.json: got another transaction'])
  })

  test('verify reports another commit than that of the checkout when it compiles the sources', async () => {
    const unknownCommit = '0'.repeat(40)
    const { isSame, out } = await withRecord('commit', unknownCommit, { rebuilt: ['insurance'] })
    assert.equal(isSame, false)
    assertLines(out, [
      `contracts of this checkout: got a history without this commit, expected those of commit ${unknownCommit}`,
    ])
    const withoutRebuild = await withRecord('commit', unknownCommit)
    assert.equal(withoutRebuild.isSame, true)
    assert.match(withoutRebuild.out, /^the sources differ from those of the deployment$/m)
  })
})

/** Verifies with `member` of deployment.json changed. */
async function withRecord(member: string, value: unknown, also: Partial<VerifyTerms> = {}) {
  const path = join(folder, 'deployment.json')
  const text = readFileSync(path, 'utf8')
  const changed = JSON.parse(text) as Record<string, unknown>
  const names = member.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((inside, name) => inside[name] as Record<string, unknown>, changed)
  parent[last] = value
  writeFileSync(path, JSON.stringify(changed))
  try {
    return await runVerify(also)
  } finally {
    writeFileSync(path, text)
  }
}

test('deployment.json describes the contracts on chain and their transactions', async () => {
  const { chainId, factory, salt, commit, solc, startBlock, contracts } = record
  assert.deepEqual([chainId, factory, salt], [5042002, 'create2', 'openvenue-1'])
  assert.deepEqual([commit, solc], ['unknown', '0.8.37'])
  for (const [name, entry] of Object.entries(contracts)) {
    const code = (await chain.rpc.call('eth_getCode', entry.address, 'latest')) as Hex
    assert.equal(entry.runtimeCodeHash, keccak256(code), name)
    const receipt = (await chain.rpc.call('eth_getTransactionReceipt', entry.tx)) as Receipt
    assert.equal(receipt.status, '0x1', name)
    assert.ok(Number(receipt.blockNumber) > startBlock, name)
  }
  const argumentsOf = (name: string) => contracts[name]?.arguments
  assert.deepEqual(argumentsOf('insurance'), [record.governance])
  assert.deepEqual(argumentsOf('spot'), [record.accounts, record.deployer])
  assert.deepEqual(argumentsOf('accounts'), [
    ...[addressOf('insurance'), addressOf('fees'), 'openvenue-testnet'],
  ])
})

type Receipt = Readonly<{ status: Hex; blockNumber: Hex }>
type Upload = Readonly<{ path: string; body: Readonly<Record<string, unknown>> }>

/** A server with Sourcify's API: one job per upload, completed when it is polled. */
async function startSourcify() {
  const uploads: Upload[] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { url: path = '', method } = request
    if (method === 'POST') uploads.push({ path, body: JSON.parse(text) })
    const job = { isJobCompleted: true, contract: { match: 'exact_match' } }
    response.statusCode = method === 'POST' ? 202 : 200
    response.end(JSON.stringify(method === 'POST' ? { verificationId: 'a job' } : job))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { uploads, url, stop }
}

test('sources compile to the code on chain, are written for explorers, and published sources compile to it, too', async () => {
  const sourcify = await startSourcify()
  const { isSame, out } = await runVerify({
    rebuilt: process.env.REBUILD === 'all' ? 'all' : REBUILT,
    isPublished: true,
    sourcifyUrl: sourcify.url,
  }).finally(sourcify.stop)
  assert.equal(isSame, true, out)
  assert.match(out, /^compiled with 0\.8\.37\+commit\.[0-9a-f]{8} in \d+ s$/m)
  assert.match(out, /^no differences$/m)
  const read = (name: string) => JSON.parse(readFileSync(join(folder, 'explorer', name), 'utf8'))
  const input = read('standard-input.json') as CompilerInput
  const listed = read('contracts.json') as readonly ExplorerInput[]
  assert.deepEqual(
    sourcify.uploads.map(({ path }) => path),
    Object.values(record.contracts).map(({ address }) => `/v2/verify/5042002/${address}`),
  )
  for (const [index, { body }] of sourcify.uploads.entries()) {
    const { contractIdentifier, compilerVersion, creationTransactionHash } =
      listed[index] ?? assert.fail()
    const sent = { contractIdentifier, compilerVersion, creationTransactionHash }
    assert.deepEqual(body, { stdJsonInput: input, ...sent })
  }
  // The compiled sources are the published ones.
  assert.deepEqual(input, JSON.parse(JSON.stringify(readCompilerInput())))
  for (const name of REBUILT) {
    const { initCodeHash } = record.contracts[name] ?? assert.fail()
    const rest = listed.find((contract) => contract.name === name)?.constructorArguments
    assert.equal(keccak256(`${COMMITTED[name]}${rest}`), initCodeHash)
  }
})
