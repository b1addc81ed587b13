// After a deployment, services run as separate processes with nothing but deployment.json and the
// environment; the API's answers equal the contracts. On PostgreSQL.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { MARKETS } from '@openvenue/devnet/markets'
import { openAccount } from '@openvenue/e2e/account-client'
import { createComparer } from '@openvenue/e2e/compare'
import { read, readInfo, request } from '@openvenue/e2e/probe'
import { bidBody } from '@openvenue/e2e/signed-orders'
import { arcTokenAbi } from '@openvenue/indexer/test/arc-token'
import { postgresEngine } from '@openvenue/store/test/engines'
import { encodeFunctionData, type Hex } from 'viem'
import { sendFrom, USDC } from '../test/arc-chain.ts'
import { DeployedVenue } from '../test/deployed-venue.ts'
import { callToken, fund, place } from '../test/whole-venue.ts'

const [MAKER, TAKER, BLOCKED_LATER] = [10, 11, 12]
/** Arc's block time. */
const ARC_BLOCK_MS = 500
const COMPARED_MIN = 5

type AcceptedOrder = Readonly<{
  order_id: string
  order_status: string
  block_number: number | null
  receipt: Readonly<{ include_by_block: number }>
}>

const postgres = postgresEngine(process.env.DATABASE_URL)
if (postgres !== undefined)
  describe('services on a newly deployed venue', () => {
    let venue: DeployedVenue
    before(async () => {
      venue = await DeployedVenue.start(postgres)
    })
    after(() => venue?.stop())

    const wallet = (index: number): Hex => venue.wallet(index)
    const api = (path: string) => venue.ask(path)

    test('the API serves the markets and the network of the deployment', async () => {
      const markets = (await api('/markets')) as { instrument_name: string }[]
      assert.deepEqual(
        markets.map((market) => market.instrument_name).sort(),
        MARKETS.map(({ name }) => name).sort(),
      )
      const info = (await api('/info')) as { network: { name: string; chain_id: number } }
      assert.deepEqual([info.network.name, info.network.chain_id], ['testnet', 5042002])
    })

    test('an API node exits when its signing domain differs from the file or from the chain', async () => {
      const also = { TYPED_DATA_DOMAIN: 'openvenue' }
      assert.match(
        (await venue.runApi(also)).at(-1) ?? '',
        /deployment\.json: domainName differs: got "openvenue-testnet", expected "openvenue" \(TYPED_/,
      )
      const { domainName: _, ...record } = venue.trading.record
      const folder = mkdtempSync(join(tmpdir(), 'openvenue-domain-'))
      const DEPLOYMENT_FILE = join(folder, 'deployment.json')
      writeFileSync(DEPLOYMENT_FILE, JSON.stringify(record))
      const [line = ''] = (await venue.runApi({ ...also, DEPLOYMENT_FILE })).slice(-1)
      rmSync(folder, { recursive: true })
      assert.match(
        line,
        /^Typed-data domain of accounts at 0x[0-9a-f]{40} differs: got "openvenue-t/,
      )
      assert.match(line, /expected "openvenue" version 1 of chain 5042002; set TYPED_/)
    })

    test('the keeper pushes prices although the node refuses fee estimates', async () => {
      await venue.until('there is a mark', async () => {
        const { mark_price } = (await api('/markets/SOL-PERP')) as { mark_price: string | null }
        return Number(mark_price) > 0
      })
    })

    test("the API's data equals the contracts after trades, including tokens sent without a deposit", async () => {
      for (const trader of [MAKER, TAKER, BLOCKED_LATER]) await fund(venue.trading, wallet(trader))
      const { trading } = venue
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
      // A blocked wallet's orders still fill: a fill transfers no tokens.
      for (const market of MARKETS)
        await place(trading, wallet(TAKER), market, {
          isBuy: true,
          ticksAway: 1,
          lots: market.quoting.lots,
        })
      await compareBlocks(COMPARED_MIN)
      for (const { name } of MARKETS) {
        const trades = (await api(`/markets/${name}/trades?limit=1`)) as unknown[]
        assert.equal(trades.length, 1, `${name} traded`)
      }
    })

    test('a blocked wallet cannot withdraw, and does not block others', async () => {
      const { record, rpc } = venue.trading
      const withdraw = (from: Hex) => {
        const args = [USDC, 1_000_000n, from] as const
        const data = encodeFunctionData({ abi: spotAbi, functionName: 'withdraw', args })
        return sendFrom(rpc, { from, to: record.spot, data })
      }
      await assert.rejects(withdraw(wallet(BLOCKED_LATER)), /reverted/)
      await withdraw(wallet(TAKER))
      await compareBlocks(1)
    })

    test('the indexer follows the head although the node refuses its subscription', () => {
      assert.notEqual(venue.chain.refused(), 0)
    })

    test('an order signed with a registered key reaches the chain through the relayer as promised', async () => {
      const client = await openAccount(venue, MAKER, { isOnChain: true })
      const { typed_data } = await readInfo(venue.apiUrl)
      const { signingPrivateKey: key, account } = client.registered
      const { headers } = client
      let salt = 0n
      let placed: AcceptedOrder | undefined
      await venue.until('the order is taken', async () => {
        const deadline = BigInt(Math.floor(Date.now() / 1000) + 60)
        const bid = { account, market: 1, limitPrice: 2_000_000_000n, amount: 10n ** 16n }
        const body = await bidBody({ messages: typed_data.spot, key }, 'ETH-USDC', {
          ...bid,
          salt: ++salt,
          deadline,
        })
        const answer = await request<AcceptedOrder>(venue.apiUrl, '/orders', { headers, body })
        if (answer.status === 200) placed = answer.body
        return answer.status === 200
      })
      const { order_id: id, receipt } = placed ?? assert.fail()
      let order: AcceptedOrder | undefined
      await venue.until('the order is open', async () => {
        order = await read<AcceptedOrder>(venue.apiUrl, `/orders/${id}`, headers)
        return order.order_status === 'opened'
      })
      assert.ok(Number(order?.block_number) <= receipt.include_by_block)
      await compareBlocks(1)
    })

    /** Compares until `count` blocks were equal in both. */
    async function compareBlocks(count: number): Promise<void> {
      venue.chain.pace(ARC_BLOCK_MS)
      const { record, rpc } = venue.trading
      const { apiUrl, indexerUrl } = venue
      const deployment = { ...record, oracles: [record.oracles[0]] }
      const urls = { apiUrl, indexerUrl, rpcUrl: rpc.url, deployment }
      const comparer = createComparer(urls as unknown as Parameters<typeof createComparer>[0])
      const compared = new Set<number>()
      await venue.until(`${count} blocks are compared`, async () => {
        const block = await comparer.compare().catch((error: Error) => {
          if (error.name === 'AssertionError') differences.push(error.message)
          throw error
        })
        if (block !== undefined) compared.add(block)
        return compared.size >= count || differences.length > 0
      })
      assert.deepEqual(differences, [])
    }
    const differences: string[] = []
  })
