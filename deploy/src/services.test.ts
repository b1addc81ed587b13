// After a deployment the services run on it with nothing but deployment.json and the environment,
// each in a process of its own: what the API says is what the contracts hold. On PostgreSQL.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { freePort } from '@openvenue/devnet/anvil'
import { MARKETS } from '@openvenue/devnet/markets'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { createComparer } from '@openvenue/e2e/compare'
import { KeeperProcess } from '@openvenue/keeper/test/keeper-process'
import { postgresEngine, type TestDatabase } from '@openvenue/store/test/engines'
import { encodeFunctionData, type Hex } from 'viem'
import { type ArcChain, createToken, sendFrom, startArcChain, USDC } from '../test/arc-chain.ts'
import { arcTokenAbi } from '../test/arc-token.ts'
import { readRecord, run } from '../test/deploying.ts'
import { writeVenue } from '../test/venue.ts'
import {
  callToken,
  fund,
  place,
  pricesText,
  type Trading,
  wholeVenue,
} from '../test/whole-venue.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const [DEPLOYER, MAKER, TAKER, BLOCKED_LATER, PUSHER] = [9, 10, 11, 12, 3]
/** As Arc makes them. */
const ARC_BLOCK_MS = 500
const READY_WITHIN_MS = 120_000
const COMPARED_MIN = 5
const POLL_MS = 100

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('services on a venue that was just deployed', () => {
    let chain: ArcChain
    let database: TestDatabase
    let folder: string
    let prices: Server
    let trading: Trading
    let apiUrl = ''
    let indexerUrl = ''
    const processes: KeeperProcess[] = []
    before(async () => {
      chain = await startArcChain()
      const owner = chain.wallets[0] as Hex
      const tokens = {
        EURC: await createToken(chain.rpc, owner, ['Euro Coin', 'EURC', 6]),
        ETH: await createToken(chain.rpc, owner, ['Ether', 'ETH', 18]),
        BTC: await createToken(chain.rpc, owner, ['Bitcoin', 'BTC', 8]),
      }
      const written = writeVenue(wholeVenue(chain.wallets, tokens))
      folder = written.folder
      const place = { chain, folder, config: written.path, key: derivePrivateKey(DEPLOYER) }
      const { code, out, err } = await run(place, 'deploy', ['--yes'])
      assert.equal(code, 0, `${out}${err}`)
      trading = { rpc: chain.rpc, record: readRecord(folder) }
      database = await postgres.createDatabase()
      prices = createServer((_, response) => response.end(pricesText())).listen(0, '127.0.0.1')
      await once(prices, 'listening')
      await startServices()
    })
    after(async () => {
      await Promise.all(processes.map((one) => one.end('SIGKILL')))
      prices?.close()
      await chain?.stop()
      await database?.remove()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    })

    async function startServices(): Promise<void> {
      const [api, indexer, keeper] = [await freePort(), await freePort(), await freePort()]
      apiUrl = `http://127.0.0.1:${api}`
      indexerUrl = `http://127.0.0.1:${indexer}`
      const env = {
        NETWORK: 'testnet',
        RPC_URL: chain.url,
        DATABASE_URL: database.options.databaseUrl ?? '',
        DEPLOYMENT_FILE: join(folder, 'deployment.json'),
        ...{ PORT: String(api), INDEXER_PORT: String(indexer), RATE_LIMIT_PUBLIC: 'off' },
        KEEPER_KEY: derivePrivateKey(PUSHER),
        KEEPER_PRICE_URL: `http://127.0.0.1:${(prices.address() as AddressInfo).port}`,
        KEEPER_PORT: String(keeper),
        LOG_LEVEL: 'warn',
      }
      const start = (main: string) => processes.push(new KeeperProcess(env, join(ROOT, main)))
      const isWaiting = async (port: number) =>
        (await fetch(`http://127.0.0.1:${port}/ready`)).status === 503
      // The wrong way round, each at work before the next begins: no order is needed.
      start('keeper/src/main.ts')
      await until('the keeper waits', () => isWaiting(keeper))
      start('api/src/node/main.ts')
      await until('the API waits', () => isWaiting(api))
      start('indexer/src/main.ts')
      await until('the API is ready', async () => (await fetch(`${apiUrl}/ready`)).ok)
    }

    async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
      const deadlineMs = Date.now() + READY_WITHIN_MS
      while (!(await isSo().catch(() => false))) {
        const words = processes.map(({ lines }) => lines.slice(-4).join('\n')).join('\n')
        // Whatever answers on the port of one that has ended is somebody else's.
        assert.ok(!processes.some(({ hasEnded }) => hasEnded), `${what}: one has ended\n${words}`)
        assert.ok(Date.now() < deadlineMs, `${what}\n${words}`)
        await sleep(POLL_MS)
      }
    }

    const wallet = (index: number) => chain.wallets[index] as Hex
    const api = async (path: string) => (await fetch(`${apiUrl}${path}`)).json()

    test('they show the markets and contracts of the deployment', async () => {
      const markets = (await api('/markets')) as { instrument_name: string }[]
      assert.deepEqual(
        markets.map((market) => market.instrument_name).sort(),
        MARKETS.map(({ name }) => name).sort(),
      )
      const info = (await api('/info')) as { network: { name: string; chain_id: number } }
      assert.deepEqual([info.network.name, info.network.chain_id], ['testnet', 5042002])
    })

    test('the keeper pushes prices, though the node says nothing of fees', async () => {
      await until('there is a mark', async () => {
        const { mark_price } = (await api('/markets/SOL-PERP')) as { mark_price: string | null }
        return Number(mark_price) > 0
      })
    })

    test('what traders did is what the contracts hold, tokens that nobody deposited or not', async () => {
      for (const trader of [MAKER, TAKER, BLOCKED_LATER]) await fund(trading, wallet(trader))
      for (const market of MARKETS) {
        const lots = market.quoting.lots
        await place(trading, wallet(BLOCKED_LATER), market, { isBuy: false, ticksAway: 1, lots })
        await place(trading, wallet(MAKER), market, { isBuy: false, ticksAway: 2, lots })
        await place(trading, wallet(MAKER), market, { isBuy: true, ticksAway: -2, lots })
      }
      const { record } = trading
      const abi = arcTokenAbi
      for (const engine of [record.spot, record.perps]) {
        const gift = { abi, functionName: 'mint', args: [engine, 12_345_678n] } as const
        await callToken(trading, wallet(MAKER), USDC, gift)
      }
      const block = {
        abi,
        functionName: 'setBlocked',
        args: [wallet(BLOCKED_LATER), true],
      } as const
      await callToken(trading, wallet(MAKER), USDC, block)
      // His orders are filled all the same: no fill moves a token to anybody.
      for (const market of MARKETS)
        await place(trading, wallet(TAKER), market, {
          ...{ isBuy: true, ticksAway: 1 },
          lots: market.quoting.lots,
        })
      await compareBlocks(COMPARED_MIN)
      for (const { name } of MARKETS) {
        const trades = (await api(`/markets/${name}/trades?limit=1`)) as unknown[]
        assert.equal(trades.length, 1, `${name} traded`)
      }
    })

    test('a blocked wallet cannot withdraw, and nobody else is held up', async () => {
      const { record, rpc } = trading
      const withdraw = (from: Hex) => {
        const args = [USDC, 1_000_000n, from] as const
        const data = encodeFunctionData({ abi: spotAbi, functionName: 'withdraw', args })
        return sendFrom(rpc, { from, to: record.spot, data })
      }
      await assert.rejects(withdraw(wallet(BLOCKED_LATER)), /reverted/)
      await withdraw(wallet(TAKER))
      await compareBlocks(1)
    })

    /** Compares until `wanted` blocks were the same here and there. */
    async function compareBlocks(wanted: number): Promise<void> {
      chain.pace(ARC_BLOCK_MS)
      const { record, rpc } = trading
      const deployment = { ...record, oracles: [record.oracles[0]] }
      const urls = { apiUrl, indexerUrl, rpcUrl: rpc.url, deployment }
      const comparer = createComparer(urls as unknown as Parameters<typeof createComparer>[0])
      const compared = new Set<number>()
      await until(`${wanted} blocks are compared`, async () => {
        const block = await comparer.compare().catch((error: Error) => {
          if (error.name === 'AssertionError') differences.push(error.message)
          throw error
        })
        if (block !== undefined) compared.add(block)
        return compared.size >= wanted || differences.length > 0
      })
      assert.deepEqual(differences, [])
    }
    const differences: string[] = []
  })
