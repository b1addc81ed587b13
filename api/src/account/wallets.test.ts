import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountWallet } from '@openvenue/core/test/scenario/listing'
import type { AccountHistory } from '@openvenue/store/history/account-history'
import { freshReads, readOf } from '../../test/block-reads.ts'
import { funded } from '../../test/funded.ts'
import { BROKEN_ACCOUNTS, scenarioNode } from '../../test/scenario-node.ts'
import { Wallets } from './wallets.ts'

const EVE = 7
const eve = accountWallet(EVE)

/** Wallets over a model whose last block opened account 7; `rows` are the rows of the database. */
async function setUp() {
  const scenario = funded('ETH-USDC').deposit('eve', 'USDC', 5n).next()
  const venue = await scenarioNode(scenario.blocks())
  const rows = new Map([[eve, EVE]])
  const waiting: (() => void)[] = []
  let asked = 0
  /** Sends the read at once; the answer arrives when `arrive` is called. */
  const read = async <T>(take: () => T) => {
    asked += 1
    const found = take()
    await new Promise<void>((resolve) => waiting.push(resolve))
    return readOf(found)
  }
  const history = {
    ...BROKEN_ACCOUNTS.history,
    accountNumber: (wallet: string) => read(() => rows.get(wallet)),
    readWallets: (accounts: readonly number[]) =>
      read(() => new Map([...rows].flatMap(([of, n]) => (accounts.includes(n) ? [[n, of]] : [])))),
  }
  return {
    ...venue,
    wallets: new Wallets({ model: venue.model, history, fresh: freshReads(venue.model) }),
    rows,
    asked: () => asked,
    arrive: async () => {
      while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve))
      waiting.shift()?.()
    },
  }
}

describe('the number of a wallet', () => {
  test('the number of a wallet is queried from the database once, both ways', async () => {
    const { wallets, asked, arrive, close } = await setUp()
    const first = wallets.accountNumber(eve)
    await arrive()
    assert.equal(await first, EVE)
    assert.equal(await wallets.accountNumber(eve), EVE)
    assert.deepEqual(await wallets.readWallets([EVE]), new Map([[EVE, eve]]))
    assert.equal(asked(), 1)
    await close()
  })

  test('the number of a wallet is taken from the feed when its account opens, and dropped when that is undone', async () => {
    const { wallets, rows, asked, arrive, undoBlock, applyBlocks, close } = await setUp()
    undoBlock()
    rows.clear()
    applyBlocks(funded('ETH-USDC').deposit('eve', 'USDC', 5n).next().blocks().slice(-1))
    assert.equal(await wallets.accountNumber(eve), EVE)
    assert.equal(asked(), 0)
    undoBlock()
    const gone = wallets.accountNumber(eve)
    await arrive()
    assert.equal(await gone, undefined)
    await close()
  })

  test('the numbers of 10,000 wallets are cached; the oldest one is queried again', async () => {
    const { model, close } = await scenarioNode(funded('ETH-USDC').blocks())
    const asked: string[] = []
    const history: AccountHistory = {
      ...BROKEN_ACCOUNTS.history,
      accountNumber: async (wallet) => {
        asked.push(wallet)
        return readOf(Number(wallet))
      },
    }
    const wallets = new Wallets({ model, history, fresh: freshReads(model) })
    for (let account = 1; account <= 10_001; account += 1)
      await wallets.accountNumber(String(account))
    asked.length = 0
    for (const wallet of ['2', '10001', '1', '2']) await wallets.accountNumber(wallet)
    assert.deepEqual(asked, ['1', '2'])
    await close()
  })

  for (const [name, ask] of [
    ['number', (wallets: Wallets) => wallets.accountNumber(eve)],
    ['wallet', async (wallets: Wallets) => (await wallets.readWallets([EVE])).get(EVE)],
  ] as const)
    test(`a ${name} that a reorg takes back while the database answers is queried again`, async () => {
      const { wallets, rows, arrive, undoBlock, close } = await setUp()
      const answer = ask(wallets)
      undoBlock()
      rows.clear()
      await arrive()
      await arrive()
      assert.equal(await answer, undefined)
      const again = wallets.accountNumber(eve)
      await arrive()
      assert.equal(await again, undefined)
      await close()
    })
})
