// Signs every message of a venue with the client's helpers, and checks the contracts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import {
  type ApiKey,
  MismatchError,
  RefusedError,
  Rest,
  StepError,
  trackOrder,
  VenueSocket,
} from 'openvenue'
import {
  type Address,
  allowVenueToCancel,
  approveCall,
  burnCall,
  type Call,
  depositCall,
  depositWithPermitCall,
  digestOf,
  loadVenue,
  nextSalt,
  openSubCall,
  orderToSign,
  register,
  type SigningVenue,
  signBurn,
  signCancel,
  signCancelAll,
  signOrder,
  signPermit,
  transferCall,
  walletSigner,
} from 'openvenue/signing'
import { createPublicClient, createWalletClient, http, parseAbi } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { createChainClient } from './chain-client.ts'
import { startVenue, type TestVenue } from './venue.ts'

const DAY_SECONDS = 24 * 3600
const MONEY = 100_000n * 10n ** 6n
const DEPOSIT = 20_000n * 10n ** 6n
const SUB_MONEY = 2_000n * 10n ** 6n
const TOKEN = parseAbi([
  'function name() view returns (string)',
  'function nonces(address) view returns (uint256)',
])
const BOOK = parseAbi(['function saltsOf(uint40 account, uint256 word) view returns (uint256)'])
const ACCOUNTS = parseAbi([
  'function accountOf(address wallet) view returns (uint40)',
  'function openSub(uint32 index) returns (uint40 account, address sub)',
])

const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] })
const key = privateKeyToAccount(generatePrivateKey())

let running: TestVenue
let url: string
let rpc: ChainRpc
let venue: SigningVenue
/** With the key of the wallet's account. */
let rest: Rest
let usdc: Address
before(async () => {
  running = await startVenue({ registerRate: undefined })
  url = running.devnet.apiUrl
  rpc = rpcAt(running.devnet.rpcUrl)
  usdc = running.devnet.deployment.tokens.USDC as Address
  await createChainClient(rpc).send([mint(wallet.address, usdc, wallet.address, MONEY)])
  venue = await loadVenue(new Rest({ url }))
})
after(() => running?.remove())

const reader = () => createPublicClient({ transport: http(running.devnet.rpcUrl) })

async function send(...calls: readonly Call[]) {
  const client = createWalletClient({ account: wallet, transport: http(running.devnet.rpcUrl) })
  for (const call of calls) {
    const hash = await client.sendTransaction({ ...call, chain: null })
    const { status } = await reader().waitForTransactionReceipt({ hash, pollingInterval: 50 })
    assert.equal(status, 'success')
  }
}

async function registered(account: Address, signingKey: typeof key): Promise<Rest> {
  const fresh = new Rest({ url })
  return fresh.withKey(await register(fresh, venue, { wallet, key: signingKey, account }))
}

const engine = () => venue.contracts.perps as Address
const bid = { market: 'ETH-PERP', side: 'buy', amount: '0.5', account: wallet.address } as const
/** A price too far below the market to be filled. */
const lowPrice = () => {
  const { market } = venue.market('ETH-PERP')
  return `${(BigInt(Math.floor(Number(market.mark_price))) * 9n) / 10n}`
}

async function restingOrder(order: Partial<Parameters<typeof signOrder>[2]> = {}) {
  const body = await signOrder(venue, key, { ...bid, price: lowPrice(), ...order })
  const { order_id } = await rest.call('POST /orders', { body })
  return untilOpen(rest, order_id)
}

const untilOpen = (rest: Rest, order_id: string) =>
  until(`order ${order_id} is open`, async () => {
    const order = await rest.call('GET /orders/{order_id}', { path: { order_id } })
    return order.order_status === 'opened' && order
  })

const untilNoneIsOpen = (rest: Rest) =>
  until(
    'no order is open',
    async () =>
      (await rest.call('GET /open-orders', { query: { include: 'pending' } })).orders.length === 0,
  )

describe('The signing of the client', () => {
  test('the client deposits by a permit, and registers a key for the API and the chain', async () => {
    const [name, nonce] = await Promise.all([
      reader().readContract({ address: usdc, abi: TOKEN, functionName: 'name' }),
      reader().readContract({
        address: usdc,
        abi: TOKEN,
        functionName: 'nonces',
        args: [wallet.address],
      }),
    ])
    const permit = await signPermit(wallet, {
      chainId: venue.info.network.chain_id,
      token: { address: usdc, name, version: '1' },
      spender: engine(),
      value: DEPOSIT,
      nonce,
      deadlineSeconds: Math.floor(Date.now() / 1000) + DAY_SECONDS,
    })
    await send(depositWithPermitCall({ engine: engine(), token: usdc, amount: DEPOSIT }, permit))
    rest = await registered(wallet.address, key)
    assert.equal((await rest.call('GET /account')).balance, '20000')
  })

  test('the client signs an order whose id is known before it is sent', async () => {
    const order = { ...bid, price: lowPrice(), postOnly: true, salt: nextSalt() }
    const { data, body } = orderToSign(venue, wallet.address, order)
    const signature = await key.signTypedData(data as never)
    const { order_id } = await rest.call('POST /orders', { body: { ...body, signature } })
    assert.equal(order_id, digestOf(data))
  })

  test('the client signs every member of an order as the contract reads it', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const { order_id } = await restingOrder()
    const members = [
      { timeInForce: 'IOC' },
      { timeInForce: 'FOK' },
      { timeInForce: 'GTC', postOnly: true },
      { side: 'sell', reduceOnly: true },
      { trigger: { kind: 'STOP_LOSS', price: '9000' } },
      { trigger: { kind: 'TAKE_PROFIT', price: '100.129' } },
      { goodTilSeconds: seconds + DAY_SECONDS },
      { maxFills: 7 },
      { replacesAmount: '0.5' },
      { deadlineSeconds: seconds + 100 },
      { clientOrderId: 'mine' },
      { mmp: true },
      { market: 'ETH-USDC' },
      { parentOrderId: order_id, trigger: { kind: 'STOP_LOSS', price: '9000' } },
    ] as const
    for (const member of members) {
      const order = { ...bid, price: lowPrice(), ...member }
      const body = await signOrder(venue, key, order)
      // A build needs no money; it recovers the signer from the members as the venue read them.
      const { digest } = await rest.call('POST /orders/build', { body })
      const { data } = orderToSign(venue, wallet.address, {
        ...order,
        salt: BigInt(body.salt),
        deadlineSeconds: Number(body.deadline),
      })
      assert.equal(digest, digestOf(data), JSON.stringify(member))
    }
  })
})

describe('The signing of replacements and cancels', () => {
  test('the client signs the replacement of an order, a cancel, and an allowed canceller', async () => {
    const first = await restingOrder({ amount: '0.25' })
    const { chain_order_id: replaces } = first
    assert.ok(replaces)
    const replacesAmount = first.remaining
    const edit = { ...bid, price: lowPrice(), amount: '0.1', replaces, replacesAmount }
    const path = { order_id: first.order_id }
    const body = await signOrder(venue, key, edit)
    const { order_id } = await rest.call('POST /orders/{order_id}', { path, body })
    const edited = await untilOpen(rest, order_id)
    assert.equal(edited.amount, '0.1')
    const orders = [edited.chain_order_id ?? '']
    const cancel = { market: 'ETH-PERP', orders, account: wallet.address }
    const unsigned = rest.call('DELETE /orders/{order_id}', { path: { order_id } })
    await assert.rejects(unsigned, (error: RefusedError) => {
      return error instanceof RefusedError && error.code === 'CANCEL_SIGNATURE_REQUIRED'
    })
    await rest.call('DELETE /orders/{order_id}', {
      path: { order_id },
      body: await signCancel(venue, key, cancel),
    })
    await allowVenueToCancel(rest, venue, { signer: key, account: wallet.address })
    const { cancellers } = await rest.call('GET /account/cancellers')
    assert.ok(cancellers.some(({ is_venue }) => is_venue))
    await rest.call('DELETE /orders', { body: { confirm: 'all' } })
    await untilNoneIsOpen(rest)
  })
})

describe('The signing of a sub-account', () => {
  test('the client signs a cancel-all in advance for a sub-account without a canceller', async () => {
    const opened = { address: venue.accounts, abi: ACCOUNTS, functionName: 'openSub' } as const
    const { result } = await reader().simulateContract({ ...opened, args: [0], account: wallet })
    const [, sub] = result
    await send(openSubCall(venue.accounts, 0))
    await send(transferCall({ engine: engine(), token: usdc, amount: SUB_MONEY }, sub))
    const subKey = privateKeyToAccount(generatePrivateKey())
    const subRest = await registered(sub, subKey)
    const order = { ...bid, amount: '0.1', account: sub, price: lowPrice() }
    const { order_id } = await subRest.call('POST /orders', {
      body: await signOrder(venue, subKey, order),
    })
    await untilOpen(subRest, order_id)
    const cancelAll = { market: 'ETH-PERP', account: sub, deadlineSeconds: inAnHour() }
    const cancel_alls = [await signCancelAll(venue, subKey, cancelAll)]
    await subRest.call('POST /account/cancel-after', { body: { timeout_ms: 5_000, cancel_alls } })
    await untilNoneIsOpen(subRest)
  })
})

describe('The helpers of the client', () => {
  test('the helpers of the client report a refusal of the chain, and stop on request', async () => {
    const fresh = new Rest({ url })
    const signal = AbortSignal.abort(new Error('enough'))
    const other = privateKeyToAccount(generatePrivateKey())
    const registration = { wallet, key: other }
    await assert.rejects(register(fresh, venue, registration, { signal }), /enough/)
    // A key belongs to one account permanently.
    const taken = register(fresh, venue, { wallet: other, key })
    await assert.rejects(taken, (error: RefusedError) => error instanceof RefusedError)
    const remaining: ApiKey[] = []
    const onApiKey = (apiKey: ApiKey) => void remaining.push(apiKey)
    const late = register(fresh, venue, registration, { timeoutMs: 0, onApiKey })
    await assert.rejects(late, /not on the chain after 0 ms/)
    // The key of a failed wait still works.
    assert.equal((await fresh.withKey(remaining[0]).call('GET /account')).balance, '18000')
  })
})

describe('The rest of the helpers', () => {
  test('the client burns the salt of an order, which then can never be placed', async () => {
    const salt = nextSalt()
    const body = await signOrder(venue, key, { ...bid, price: lowPrice(), salt })
    const burn = { engine: 'perps', salts: [salt], account: wallet.address } as const
    await send(burnCall(await signBurn(venue, key, burn)))
    const account = await reader().readContract({
      address: venue.accounts,
      abi: ACCOUNTS,
      functionName: 'accountOf',
      args: [wallet.address],
    })
    const word = await reader().readContract({
      address: engine(),
      abi: BOOK,
      functionName: 'saltsOf',
      args: [account, salt >> 8n],
    })
    assert.equal((word >> (salt & 255n)) & 1n, 1n)
    await assert.rejects(rest.call('POST /orders', { body }), /salt/i)
    const far = { ...burn, salts: [salt, salt + 256n] }
    await assert.rejects(signBurn(venue, key, far), RangeError)
  })

  test('the client makes an approved deposit, and follows an order to its end', async () => {
    const money = { engine: engine(), token: usdc, amount: SUB_MONEY }
    await send(approveCall(money), depositCall(money))
    const { api_key = '', api_secret = '' } = await rest.call('POST /api-keys', {
      body: { name: 'follows' },
    })
    const socket = new VenueSocket({ url, apiKey: { key: api_key, secret: api_secret } })
    const body = await signOrder(venue, key, {
      ...bid,
      price: `${BigInt(lowPrice()) * 2n}`,
      amount: '0.01',
      timeInForce: 'IOC',
    })
    const statuses: string[] = []
    const find = (order_id: string) =>
      rest.call('GET /orders/{order_id}', { path: { order_id }, query: { include: 'closed' } })
    const place = () => rest.call('POST /orders', { body })
    for await (const order of trackOrder(socket, { place, find })) statuses.push(order.order_status)
    socket.close()
    assert.equal(statuses[0], 'pending')
    assert.equal(statuses.at(-1), 'filled')
  })

  test('the client signs nothing for a contract other than the pinned one', async () => {
    const fresh = new Rest({ url })
    const pinned = { perps: engine(), chainId: venue.info.network.chain_id }
    assert.equal((await loadVenue(fresh, { pinned })).market('ETH-PERP').engine, engine())
    const other = `0x${'66'.repeat(20)}` as const
    await assert.rejects(loadVenue(fresh, { pinned: { perps: other } }), MismatchError)
    await assert.rejects(loadVenue(fresh, { pinned: { chainId: 1 } }), MismatchError)
  })

  test('the client refuses amounts below a step, and names the existing markets', () => {
    const order = { ...bid, price: '100', amount: '0' }
    assert.throws(() => orderToSign(venue, wallet.address, order), StepError)
    const nowhere = { ...order, market: 'NO-PERP' }
    assert.throws(() => orderToSign(venue, wallet.address, nowhere), /ETH-PERP/)
  })
})

describe('A browser wallet', () => {
  test("the client signs through a browser wallet's eth_signTypedData_v4", async () => {
    const requests: string[] = []
    const provider = {
      request: ({ method, params }: { method: string; params: readonly unknown[] }) => {
        requests.push(method)
        return rpc.call(method, ...params)
      },
    }
    const browser = walletSigner(provider as never, wallet.address)
    const order = { ...bid, price: lowPrice(), amount: '0.01', salt: nextSalt() }
    const terms = { ...order, deadlineSeconds: inAnHour() }
    const body = await signOrder(venue, browser, terms)
    assert.equal(body.signature, (await signOrder(venue, wallet, terms)).signature)
    assert.deepEqual(requests, ['eth_signTypedData_v4'])
    const { order_id } = await rest.call('POST /orders', { body })
    await untilOpen(rest, order_id)
    await rest.call('DELETE /orders/{order_id}', { path: { order_id } })
  })
})

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600
