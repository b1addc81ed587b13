import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { until } from '@openvenue/core/test/until'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { freePort, startAnvil } from './anvil.ts'
import { type Chain, startChain } from './chain.ts'
import { chainStatePath, saveState } from './chain-state.ts'
import { Loop } from './loop.ts'
import { type CommittedState, findStateFault } from './read-state.ts'

const GENESIS_SECONDS = 1_700_000_000
const SAVES = 15
/** Uses all its gas: with slow blocks, one in five dumps of anvil is torn. */
const SLOW_CALL = { data: '0x5b600056', gas: '0x1000000' }

let folder: string
const running = new Set<Readonly<{ stop(): Promise<void> }>>()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openvenue-state-'))
})
afterEach(async () => {
  for (const chain of running) await chain.stop()
  running.clear()
  rmSync(folder, { recursive: true, force: true })
})

const statePath = () => chainStatePath(folder)
const readState = (path = statePath()): CommittedState =>
  JSON.parse(gunzipSync(readFileSync(path)).toString())

async function start(options: Partial<Parameters<typeof startChain>[0]> = {}): Promise<Chain> {
  const defaults = { dataDir: folder, port: 0, genesisSeconds: GENESIS_SECONDS, onError: () => {} }
  const chain = await startChain({ ...defaults, ...options })
  running.add(chain)
  return chain
}

async function stop(chain: Chain): Promise<void> {
  running.delete(chain)
  await chain.stop()
}

/** Saves a chain twice with blocks between, and returns the height of each. */
async function savedTwice(): Promise<readonly [number, number]> {
  const chain = await start()
  await chain.mine(GENESIS_SECONDS + 1)
  await chain.save()
  await chain.mine(GENESIS_SECONDS + 2)
  await chain.mine(GENESIS_SECONDS + 3)
  await stop(chain)
  const heights = [`${statePath()}.previous`, statePath()].map(
    (path) => readState(path).best_block_number,
  )
  return heights as [number, number]
}

test('every chain state saved under fast block production is that of its newest block', async () => {
  const chain = await start({ blockMs: 1 })
  const [from] = (await chain.rpc.call('eth_accounts')) as [string]
  const send = async () => {
    await chain.rpc.call('eth_sendTransaction', { from, ...SLOW_CALL })
  }
  await chain.live()
  const sending = new Loop(
    send,
    () => 0,
    () => {},
  )
  running.add(sending)
  sending.start()
  for (let saves = 0; saves < SAVES; saves++) {
    await chain.save()
    assert.equal(findStateFault(readState()), undefined)
  }
  await sending.stop()
})

test('a chain state with storage ahead of its blocks, or without its newest block, is detected', async () => {
  const chain = await start()
  await chain.mine(GENESIS_SECONDS + 1)
  await chain.save()
  const state = readState()
  assert.equal(findStateFault(state), undefined)
  const [address = '', account] = Object.entries(state.accounts)[1] ?? []
  assert.ok(account !== undefined)
  const ahead = { ...account, storage: { '0x0': '0x1' } }
  assert.match(
    findStateFault({ ...state, accounts: { ...state.accounts, [address]: ahead } }) ?? '',
    /^its storage is not that of its newest block, 1$/,
  )
  assert.match(
    findStateFault({ ...state, best_block_number: 7 }) ?? '',
    /^it does not have its newest block, 7$/,
  )
})

test('a state set by hand since the newest block is saved with a block of its own', async () => {
  const chain = await start()
  const [address] = (await chain.rpc.call('eth_accounts')) as [string]
  await chain.mine(GENESIS_SECONDS + 1)
  await chain.rpc.call('anvil_setBalance', address, '0x7')
  await chain.save()
  assert.equal(readState().best_block_number, 2)
  assert.equal(BigInt(readState().accounts[address.toLowerCase()]?.balance ?? 0), 7n)
})

const unreadable: Readonly<Record<string, () => void>> = {
  'cut off': () => writeFileSync(statePath(), readFileSync(statePath()).subarray(0, 200)),
  empty: () => writeFileSync(statePath(), ''),
  'ahead of its blocks': () => {
    const state = readState()
    const [address = ''] = Object.keys(state.accounts)
    const accounts = { ...state.accounts, [address]: { ...state.accounts[address], nonce: 9 } }
    writeFileSync(statePath(), gzipSync(JSON.stringify({ ...state, accounts })))
  },
  missing: () => rmSync(statePath()),
}

for (const [name, spoil] of Object.entries(unreadable))
  test(`a chain whose newest state is ${name} starts from the previous one with a warning`, async () => {
    const [previous, newest] = await savedTwice()
    assert.ok(previous < newest)
    spoil()
    const warnings: string[] = []
    const chain = await start({ onWarning: (text) => warnings.push(text) })
    assert.equal(Number(await chain.rpc.call('eth_blockNumber')), previous)
    if (name !== 'missing') {
      assert.equal(warnings.length, 1)
      assert.match(
        warnings[0] ?? '',
        /chain\.state cannot be read \(.+\): starting from .+previous$/,
      )
    }
    // The next save must not replace the good file by the unreadable one.
    const kept = readFileSync(`${statePath()}.previous`)
    await chain.save()
    assert.ok(readFileSync(`${statePath()}.previous`).equals(kept))
    assert.equal(findStateFault(readState()), undefined)
  })

test('a chain without a readable state refuses to start, and both files are kept', async () => {
  await savedTwice()
  for (const path of [statePath(), `${statePath()}.previous`]) writeFileSync(path, 'spoilt')
  await assert.rejects(
    start(),
    (error) =>
      error instanceof ConfigInvalid &&
      /^the chain was not started: .+chain\.state cannot be read .+previous cannot be read/.test(
        error.message,
      ),
  )
  assert.deepEqual(readdirSync(folder).sort(), ['chain.state', 'chain.state.previous'])
})

test('a chain on the port of an ended chain is never saved in its place', async () => {
  const chain = await start({ port: await freePort() })
  await chain.live()
  process.kill(chain.pid, 'SIGKILL')
  await chain.ended
  const saved = readFileSync(statePath())
  const pidPath = join(folder, 'other.pid')
  const other = await startAnvil({
    port: Number(new URL(chain.url).port),
    genesisSeconds: 1,
    pidPath,
  })
  running.add({ stop: other.kill })
  await assert.rejects(chain.save(), /the chain of another venue answers at http/)
  await stop(chain)
  assert.ok(readFileSync(statePath()).equals(saved))
  assert.equal(Number(await chain.rpc.call('eth_blockNumber')), 0, 'it makes no block there')
})

test('a block mined by another client during a save is not saved in part', async () => {
  const chain = await start()
  const at = { url: chain.url, instance: '0x0' }
  const turn = { between: (work: () => Promise<void>) => work(), mine: async () => {} }
  await assert.rejects(saveState(at, statePath(), turn), /is not saved/)
  await chain.live()
  const [from] = (await chain.rpc.call('eth_accounts')) as [string]
  let isOver = false
  const mining = (async () => {
    while (!isOver) {
      await chain.rpc.call('eth_sendTransaction', { from, ...SLOW_CALL })
      await chain.rpc.call('evm_mine')
    }
  })()
  const outcomes = await Promise.allSettled(Array.from({ length: SAVES }, () => chain.save()))
  isOver = true
  await mining
  for (const result of outcomes)
    if (result.status === 'rejected')
      assert.match(String(result.reason), /is not saved: its storage is not/)
  assert.equal(findStateFault(readState()), undefined)
  await until('it is saved', async () => chain.save().then(() => true))
})
