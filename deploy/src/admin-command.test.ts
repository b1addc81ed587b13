// Timelock actions by name: each is proposed, waits and is executed; and the proposal that brings
// the chain to venue.json. Runs in this process, with the answers of each test.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { governanceAbi } from '@openvenue/contracts/abi/governance'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import {
  type Abi,
  decodeFunctionData,
  type Hex,
  toEventSelector,
  toFunctionSelector,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type ArcChain, createToken, sendFrom, startArcChain } from '../test/arc-chain.ts'
import { readRecord, run } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { readProposals } from './admin/proposal-file.ts'
import { type AdminTerms, admin } from './admin-command.ts'
import { StepFailed } from './apply/sender.ts'
import { placeContracts } from './plan/contracts.ts'
import { openSession } from './session.ts'
import { placementOf, verify } from './verify-command.ts'

/** Indexes of the mnemonic: see `smallVenue`. */
const [GUARDIAN, PROPOSER, CANCELLER, SECOND, THIRD, ANYBODY] = [1, 2, 4, 5, 6, 7]
const DAY_SECONDS = 86_400
const LIFE_SECONDS = 14 * DAY_SECONDS
const STRANGER = `0x${'00'.repeat(12)}${'5e'.repeat(20)}` as const

let chain: ArcChain
let folder: string
let config: string
let eth: Hex
before(async () => {
  chain = await startArcChain()
  eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const venue = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  folder = venue.folder
  config = venue.path
  const paths = { chain, folder, config, key: derivePrivateKey(9) }
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
})
after(async () => {
  await chain?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

const session = () => openSession({ network: 'testnet', rpc: chain.url, dir: folder, config }, {})
const wallet = (index: number) => (chain.wallets[index] as Hex).toLowerCase() as Hex

/** Runs `admin`; returns whether it succeeded, and its output. */
async function ask(index: number, words: readonly string[], also: Partial<AdminTerms> = {}) {
  const lines: string[] = []
  const isDone = await admin(await session(), {
    words,
    account: privateKeyToAccount(derivePrivateKey(index)),
    isPrinted: false,
    salt: '',
    confirm: async () => true,
    print: (text) => void lines.push(text),
    ...also,
  })
  return { isDone, out: lines.join('\n') }
}

const idIn = (out: string): Hex => (/proposal (0x[0-9a-f]{64})/.exec(out)?.[1] ?? '0x') as Hex

async function propose(words: readonly string[], also: Partial<AdminTerms> = {}) {
  const { isDone, out } = await ask(PROPOSER, ['propose', ...words], also)
  assert.equal(isDone, true, out)
  return { id: idIn(out), out }
}

const stateOf = async (id: Hex) => {
  const { out } = await ask(ANYBODY, ['list'])
  return new RegExp(`^${id} {2}(\\w+)`, 'm').exec(out)?.[1]
}

/** Reads a view of a contract. */
async function read(name: string, functionName: string, args: readonly unknown[]) {
  const { chain: reader, terms } = await session()
  const contracts = placeContracts(terms, placementOf(readRecord(folder)))
  const contract = contracts.find((candidate) => candidate.name === name) ?? assert.fail(name)
  return reader.read<unknown>({ abi: contract.abi, address: contract.address, functionName, args })
}

type AdminCase = Readonly<{
  words: readonly string[]
  line: RegExp
  /** Reads the value on chain after the execution. */
  read(): Promise<unknown>
  expected: unknown
}>

const name32 = (text: string) => toHex(text, { size: 32 })
const haltOf = async (engine: string) =>
  ((await read(engine, 'unitsOf', [1])) as { halted: boolean }).halted
const isPaused = () => read('oracle', 'isPaused', [name32('ETH')])
const isEnding = async () => {
  const address = readRecord(folder).perps
  const topics = [toEventSelector('EndAnnounced(uint32,uint256)'), toHex(1, { size: 32 })]
  const logs = await chain.rpc.call('eth_getLogs', { address, topics, fromBlock: '0x0' })
  return (logs as readonly unknown[]).length === 1
}
const holds = (index: number, role: bigint) => read('governance', 'hasRole', [wallet(index), role])

/** Two rounds: the second reverts the changes of the first. */
const rounds = (): readonly (readonly AdminCase[])[] => [
  [
    {
      words: ['halt', 'ETH-PERP'],
      line: /^halt of ETH-PERP: false -> true$/m,
      read: () => haltOf('perps'),
      expected: true,
    },
    {
      words: ['pause', 'ETH'],
      line: /^pause of ETH: false -> true$/m,
      read: isPaused,
      expected: true,
    },
    {
      words: ['grant', 'canceller', wallet(SECOND)],
      line: new RegExp(`^canceller ${wallet(SECOND)}: false -> true$`, 'm'),
      read: () => holds(SECOND, 3n),
      expected: true,
    },
    {
      words: ['offer-ownership', 'fees', wallet(THIRD)],
      line: new RegExp(`^pending owner of fees: 0x0{40} -> ${wallet(THIRD)}$`, 'm'),
      read: async () => String(await read('fees', 'pendingOwner', [])).toLowerCase(),
      expected: wallet(THIRD),
    },
  ],
  [
    {
      words: ['resume', 'ETH-PERP'],
      line: /^halt of ETH-PERP: true -> false$/m,
      read: () => haltOf('perps'),
      expected: false,
    },
    {
      words: ['end-market', 'ETH-PERP'],
      line: /^end of ETH-PERP: .* -> announced$/m,
      read: isEnding,
      expected: true,
    },
    {
      words: ['unpause', 'ETH'],
      line: /^pause of ETH: true -> false$/m,
      read: isPaused,
      expected: false,
    },
    {
      words: ['revoke', 'canceller', wallet(SECOND)],
      line: new RegExp(`^canceller ${wallet(SECOND)}: true -> false$`, 'm'),
      read: () => holds(SECOND, 3n),
      expected: false,
    },
  ],
]

describe('timelock actions', () => {
  test('a timelock action is proposed by name with its change, waits a day, and then takes effect', async () => {
    for (const round of rounds()) {
      const proposed: Hex[] = []
      for (const { words, line } of round) {
        const { id, out } = await propose(words)
        assert.match(out, line)
        proposed.push(id)
      }
      await assert.rejects(ask(ANYBODY, ['execute', proposed[0] ?? '']), /is waiting until \d{4}-/)
      await chain.skip(DAY_SECONDS)
      for (const [index, { words, read: readValue, expected }] of round.entries()) {
        assert.notEqual(await readValue(), expected, words.join(' '))
        const { isDone } = await ask(ANYBODY, ['execute', proposed[index] ?? ''])
        assert.equal(isDone, true)
        assert.equal(await readValue(), expected, words.join(' '))
        assert.equal(await stateOf(proposed[index] ?? '0x'), 'done')
      }
    }
  })

  test('admin sends nothing without confirmation', async () => {
    const sent = chain.sent()
    const no = { confirm: async () => false }
    for (const [index, words] of [
      [PROPOSER, ['propose', 'halt', 'ETH-USDC']],
      [GUARDIAN, ['halt', 'ETH-USDC']],
    ] as const) {
      const { isDone, out } = await ask(index, words, no)
      assert.equal(isDone, false)
      assert.match(out, /^halt of ETH-USDC: false -> true$/m)
    }
    assert.equal(chain.sent(), sent)
    assert.equal(await haltOf('spot'), false)
  })

  test('a repeated proposal is refused without another salt, and a proposal expires after its life', async () => {
    const { id } = await propose(['set-delay', '172800'])
    await assert.rejects(
      ask(PROPOSER, ['propose', 'set-delay', '172800']),
      (error) => error instanceof StepFailed && /would revert/.test(error.message),
    )
    const other = await propose(['set-delay', '172800'], { salt: 'again' })
    assert.notEqual(other.id, id)
    assert.equal(await stateOf(other.id), 'waiting')
    await chain.skip(DAY_SECONDS + LIFE_SECONDS + 60)
    assert.deepEqual([await stateOf(id), await stateOf(other.id)], ['expired', 'expired'])
    await assert.rejects(ask(ANYBODY, ['execute', id]), /is expired/)
  })

  test('admin prints call data with which a multisig executes or cancels a proposal', async () => {
    const { id } = await propose(['halt', 'ETH-USDC'], { salt: 'carried out' })
    const back = await propose(['halt', 'ETH-USDC'], { salt: 'taken back' })
    const printed = async (words: readonly string[]) => {
      const { isDone, out } = await ask(ANYBODY, words, { account: undefined, isPrinted: true })
      assert.equal(isDone, true)
      const [, to, data] = /to {3}(0x\w+)\ndata (0x\w+)/.exec(out) ?? []
      assert.equal(to, readRecord(folder).governance)
      return { to: to as Hex, data: data as Hex }
    }
    const decode = (data: Hex) => decodeFunctionData({ abi: governanceAbi as Abi, data })
    const cancel = await printed(['cancel', back.id])
    assert.deepEqual(decode(cancel.data), { functionName: 'cancel', args: [back.id] })
    await sendFrom(chain.rpc, { from: wallet(CANCELLER), ...cancel })
    assert.equal(await stateOf(back.id), 'unknown')
    await chain.skip(DAY_SECONDS)
    const sent = chain.sent()
    const execute = await printed(['execute', id])
    const stored = readProposals(folder).find((proposal) => proposal.id === id)
    const args = [stored?.mode, stored?.executionData]
    assert.deepEqual(decode(execute.data), { functionName: 'execute', args })
    assert.equal(chain.sent(), sent)
    assert.equal(await haltOf('spot'), false)
    await sendFrom(chain.rpc, { from: wallet(ANYBODY), ...execute })
    assert.equal(await haltOf('spot'), true)
  })
})

test('a guardian call that the node cannot simulate or read does not block the others', async () => {
  const { oracles } = readRecord(folder)
  const isOf = (asset: string, { to, data }: { to?: string; data?: string }) =>
    to?.toLowerCase() === oracles[0] && data?.includes(name32(asset).slice(2)) === true
  const READ = toFunctionSelector('isPaused(bytes32)')
  chain.deny((method, [call]) => {
    if (method !== 'eth_call') return undefined
    const { data = '' } = call as { data?: string }
    const isRead = data.startsWith(READ)
    if (!isRead && isOf('BTC', call as object)) return 'header not found'
    return isRead && isOf('SOL', call as object) ? 'missing trie node' : undefined
  })
  const { isDone, out } = await ask(GUARDIAN, ['pause', 'all']).finally(() => chain.deny(undefined))
  assert.equal(isDone, false)
  assert.match(out, /^pause of SOL: unknown \(.*missing trie node.*\) -> true$/m)
  assert.match(out, /^pause of BTC: the node cannot simulate it: .*header not found/m)
  for (const asset of ['ETH', 'SOL'])
    assert.match(out, new RegExp(`^pause of ${asset}: done in block \\d+$`, 'm'))
})

describe('a proposal without an action', () => {
  test('a proposal without an action covers the delay, the roles and an open offer, and leaves no differences', async () => {
    const { spot } = readRecord(folder)
    await chain.rpc.call('anvil_setStorageAt', spot, toHex(1, { size: 32 }), STRANGER)
    const venue = smallVenue({ wallets: chain.wallets, eth })
    const governance = {
      delaySeconds: 2 * DAY_SECONDS,
      proposers: [wallet(PROPOSER), wallet(SECOND)],
      executors: [wallet(ANYBODY)],
      cancellers: [wallet(THIRD)],
    }
    config = writeVenue({ ...venue, governance }).path
    const { id, out } = await propose([])
    const changes = [
      'pending owner of spot: 0x5e5e\\w+ -> 0x0{40}',
      'pending owner of fees: 0x\\w+ -> 0x0{40}',
      'delay of governance: 86400 -> 172800',
      `proposer ${wallet(SECOND)}: false -> true`,
      `executor ${wallet(ANYBODY)}: false -> true`,
      'executor anybody: true -> false',
      `canceller ${wallet(THIRD)}: false -> true`,
      `canceller ${wallet(CANCELLER)}: true -> false`,
    ]
    for (const change of changes) assert.match(out, new RegExp(`^${change}$`, 'm'))
    assert.equal(out.split('\n').filter((line) => / -> /.test(line)).length, changes.length, out)
    await chain.skip(DAY_SECONDS)
    await ask(ANYBODY, ['execute', id])
    assert.match((await ask(PROPOSER, ['propose'])).out, /^the chain matches venue\.json$/m)
    const lines: string[] = []
    const quickly = { rebuilt: 'none' as const, isPublished: false, typedDataDomain: undefined }
    const where = { sourcifyUrl: '', blockscoutUrl: undefined }
    const print = (text: string) => void lines.push(text)
    assert.equal(await verify(await session(), { ...quickly, ...where, print }), true, lines.join())
  })

  test('propose reports differences that no proposal can change, and sends nothing', async () => {
    const venue = smallVenue({ wallets: chain.wallets, eth })
    const { governance } = (await session()).terms
    const { delaySeconds, proposers, executors, cancellers } = governance
    const [market] = venue.spot
    assert.ok(market)
    config = writeVenue({
      ...venue,
      governance: {
        delaySeconds,
        proposers: [...proposers],
        executors: [...executors],
        cancellers: [...cancellers],
      },
      spot: [{ ...market, priceStep: '0.02' }],
    }).path
    const sent = chain.sent()
    const { isDone, out } = await ask(PROPOSER, ['propose'])
    assert.equal(isDone, false)
    assert.match(out, /^steps of ETH-USDC: .*, expected price step 20000, /m)
    assert.match(out, /^no proposal can fix these differences$/m)
    assert.equal(chain.sent(), sent)
  })
})
