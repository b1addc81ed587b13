// Follows an order: posted with an API key, relayed to the chain, and open in the book by the block
// promised in its receipt.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { approve, deposit, mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { parseUnits } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type AccountClient, openAccount } from './account-client.ts'
import { createChainClient } from './chain-client.ts'
import { type PublishedInfo, readInfo, request } from './probe.ts'
import { bidBody } from './signed-orders.ts'
import { startVenue, type TestVenue } from './venue.ts'

const MONEY = 10_000n * 10n ** 6n

type AcceptedOrder = Readonly<{
  order_id: string
  order_status: string
  block_number: number | null
  receipt: Readonly<{ include_by_block: number }>
}>

let venue: TestVenue
let info: PublishedInfo
let client: AccountClient
let salt = 0n
before(async () => {
  const limits = { privateRate: undefined, registerRate: undefined }
  venue = await startVenue({ ...limits, pace: undefined, historyHours: 0 })
  const { spot, perps, tokens } = venue.devnet.deployment
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] }).address
  await createChainClient(rpcAt(venue.devnet.rpcUrl)).send([
    mint(wallet, tokens.USDC, wallet, 2n * MONEY),
    approve(wallet, tokens.USDC, spot),
    deposit(wallet, spot, tokens.USDC, MONEY),
    approve(wallet, tokens.USDC, perps),
    deposit(wallet, perps, tokens.USDC, MONEY),
  ])
  info = await readInfo(venue.devnet.apiUrl)
  client = await openAccount(venue.devnet, ROLES.visitors[0], { isOnChain: true })
})
after(() => venue?.remove())

const ask = <T>(path: string, body?: unknown) =>
  request<T>(venue.devnet.apiUrl, path, { headers: client.headers, body })

/** Signs a resting bid with the published types. */
function signedBody(name: 'ETH-USDC' | 'ETH-PERP', decimals: number) {
  const messages = info.typed_data[name === 'ETH-PERP' ? 'perps' : 'spot']
  return bidBody({ messages, key: client.registered.signingPrivateKey }, name, {
    account: client.registered.account,
    market: 1,
    limitPrice: parseUnits('2000', decimals),
    amount: parseUnits('0.01', 18),
    salt: ++salt,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 60),
  })
}

for (const [name, decimals] of [
  ['ETH-USDC', 6],
  ['ETH-PERP', 18],
] as const)
  test(`an order posted in ${name} is open by the block that was promised`, async (t) => {
    const post = async () => {
      const body = await signedBody(name, decimals)
      return ask<AcceptedOrder>('/orders', body)
    }
    let posted = await post()
    // The registered key may not be on the chain yet.
    await until(
      () => `the order is taken: ${JSON.stringify(posted.body)}`,
      async () => {
        if (posted.status !== 200) posted = await post()
        return posted.status === 200
      },
    )
    const startMs = performance.now()
    assert.equal(posted.body.order_status, 'pending')
    const { order_id: id, receipt } = posted.body
    let order = posted.body
    await until(
      () => `the order is open: ${JSON.stringify(order)}`,
      async () => {
        order = (await ask<AcceptedOrder>(`/orders/${id}`)).body
        return order.order_status === 'opened'
      },
    )
    t.diagnostic(`${order.order_status} after ${(performance.now() - startMs).toFixed(0)} ms`)
    assert.ok(Number(order.block_number) <= receipt.include_by_block, JSON.stringify(order))
  })
