// The life of a signing key: it reaches the chain through the venue, signs orders that any account
// sends, and is revoked by its wallet.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { numberInId } from '@openvenue/devnet/deployment'
import { approve, deposit, mint, transfer } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { CallRefused } from '@openvenue/runtime/node'
import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseUnits,
  toFunctionSelector,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { type AccountClient, type AccountRow, openAccount } from './account-client.ts'
import { type ChainClient, createChainClient } from './chain-client.ts'
import { type PublishedInfo, read, readInfo, request } from './probe.ts'
import {
  type EngineSigning,
  signedBid,
  signedBurn,
  signedCancel,
  signedCancelAll,
} from './signed-orders.ts'
import { startVenue, type TestVenue } from './venue.ts'

const MONEY = 10_000n * 10n ** 6n
const GAS = 500_000
const DEAD = 1

let venue: TestVenue
let chain: ChainClient
let info: PublishedInfo
/** Registers with a key on chain. */
let client: AccountClient
/** Sends others' signed messages, without any permission of theirs. */
let sender: string
const owner = ROLES.visitors[0]
before(async () => {
  const limits = { privateRate: undefined, registerRate: undefined }
  venue = await startVenue({ ...limits, pace: undefined, historyHours: 0 })
  chain = createChainClient(rpcAt(venue.devnet.rpcUrl))
  info = await readInfo(venue.devnet.apiUrl)
  sender = walletAddress(ROLES.visitors[1])
  await fund(walletAddress(owner))
  client = await openAccount(venue.devnet, owner, { isOnChain: true })
})
after(() => venue?.remove())

const walletAddress = (index: number) =>
  mnemonicToAccount(MNEMONIC, { addressIndex: index }).address

async function fund(wallet: string): Promise<void> {
  const { spot, perps, tokens } = venue.devnet.deployment
  await chain.send([
    mint(wallet, tokens.USDC, wallet, 2n * MONEY),
    approve(wallet, tokens.USDC, spot),
    deposit(wallet, spot, tokens.USDC, MONEY),
    approve(wallet, tokens.USDC, perps),
    deposit(wallet, perps, tokens.USDC, MONEY),
  ])
}

/** Returns the newest registration that is being relayed. */
async function readRelay({ headers }: AccountClient): Promise<AccountRow> {
  type Keys = Readonly<{ on_chain: readonly AccountRow[] }>
  const { on_chain } = await read<Keys>(venue.devnet.apiUrl, '/api-keys', headers)
  return on_chain[0] ?? {}
}
const relayed = (at: AccountClient) =>
  until('the registration is on the chain', async () => {
    const relay = await readRelay(at)
    assert.notEqual(relay.status, 'failed', String(relay.reason))
    return relay.status === 'done' ? relay : undefined
  })

const onChain = <T>(functionName: string, ...args: readonly unknown[]) =>
  chain.view<T>(venue.devnet.deployment.accounts, accountsAbi as Abi, functionName, args)
const readKey = (key: string) => onChain<readonly [number, number]>('keyOf', key)

const createSigning = ({ registered }: AccountClient, engine: string): EngineSigning => ({
  messages: info.typed_data[engine === info.contracts.spot.address ? 'spot' : 'perps'],
  engine,
  key: registered.signingPrivateKey,
})

type ListedMarket = Readonly<{
  instrument_id: string
  price_step: string
  amount_step: string
  base_decimals: number
  quote_decimals: number
}>

const findMarket = (name: string) => read<ListedMarket>(venue.devnet.apiUrl, `/markets/${name}`)

let salts = 0n
/** Far below the market, so that it rests. */
async function bidIn(at: AccountClient, name: string) {
  const market = await findMarket(name)
  const engine = market.instrument_id.slice(0, 42)
  const bid = {
    account: at.registered.account,
    market: numberInId(market.instrument_id),
    limitPrice: parseUnits('3000', market.quote_decimals),
    amount: parseUnits('0.01', market.base_decimals),
    salt: ++salts,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 60),
  }
  const signing = createSigning(at, engine)
  return { market, bid, signing, ...(await signedBid(signing, bid, sender)) }
}

const openOrders = async (at: AccountClient) =>
  ((await at.ask('/open-orders')).body as { orders: readonly AccountRow[] }).orders
const openWith = (at: AccountClient, id: string) =>
  until('the order is open', async () =>
    (await openOrders(at)).find(({ order_id }) => order_id === id),
  )

test('a registration with on_chain reaches the contract with its account and expiry', async () => {
  const relay = await relayed(client)
  const { registered } = client
  assert.equal(relay.signing_key, registered.signingKey.toLowerCase())
  assert.match(String(relay.transaction_hash), /^0x[0-9a-f]{64}$/)
  const account = await onChain<number>('accountOf', registered.account)
  assert.ok(account > 0)
  assert.deepEqual(await readKey(registered.signingKey), [account, Number(relay.expiry)])
})

test('the registration published on chain is not accepted by POST /register', async () => {
  const { transaction_hash } = await relayed(client)
  const { call } = rpcAt(venue.devnet.rpcUrl)
  const sent = (await call('eth_getTransactionByHash', transaction_hash)) as { input: Hex }
  const { functionName, args } = decodeFunctionData({ abi: accountsAbi, data: sent.input })
  assert.ok(functionName === 'register')
  const [account, signing_key, expiry, account_signature, signing_key_signature] = args
  const given = { account, signing_key, account_signature, signing_key_signature }
  const { status, body } = await request<AccountRow>(venue.devnet.apiUrl, '/register', {
    body: { ...given, expiry: expiry.toString() },
  })
  const { error, api_secret } = body
  assert.deepEqual([status, error, api_secret], [401, 'INVALID_SIGNATURE', undefined])
})

for (const name of ['ETH-USDC', 'ETH-PERP'])
  describe(`an order in ${name} that the key signed`, () => {
    test('a signed order is placed by any sender, found by its digest and chain id, and cancelled', async () => {
      const { market, bid, signing, digest, tx } = await bidIn(client, name)
      await chain.send([tx])
      const order = await openWith(client, digest)
      assert.equal(order.order_status, 'opened')
      assert.equal(order.instrument_name, name)
      const id = String(order.chain_order_id)
      assert.ok(id.startsWith(market.instrument_id))
      for (const form of [digest, id, digest.toUpperCase().replace('X', 'x')])
        assert.deepEqual((await client.ask(`/orders/${form}`)).body, order, form)
      const { market: number, account, deadline } = bid
      await chain.send([
        await signedCancel(signing, { account, market: number, orders: [id], deadline }, sender),
      ])
      const past = await until('the order is cancelled', async () => {
        const rows = await client.all('/order-history', 'order_history')
        return rows.find(({ order_id }) => order_id === digest)
      })
      assert.deepEqual([past.order_status, past.cancel_reason], ['cancelled', 'USER'])
      assert.deepEqual(await openOrders(client), [])
    })

    test('a signed order is not placed twice', async () => {
      const { digest, tx, bid, signing } = await bidIn(client, name)
      await chain.send([tx])
      const { chain_order_id } = await openWith(client, digest)
      await refused(tx, 'SaltSpent')
      const orders = [String(chain_order_id)]
      await chain.send([await signedCancel(signing, { ...bid, orders }, sender)])
      await refused(tx, 'SaltSpent')
    })
  })

for (const name of ['ETH-USDC', 'ETH-PERP'])
  test(`cancels and burnt salts of ${name} are accepted with the messages of /info`, async () => {
    const { digest, tx, bid, signing } = await bidIn(client, name)
    await chain.send([tx])
    const { chain_order_id } = await openWith(client, digest)
    const { account, market, deadline } = bid
    const all = { account, market, deadline, salt: ++salts }
    const number = Number.parseInt(String(chain_order_id).slice(-16), 16)
    await chain.send([await signedCancelAll(signing, all, { number, from: sender })])
    await until('the order is cancelled', async () => (await openOrders(client)).length === 0)
    const next = await bidIn(client, name)
    const mask = 1n << (next.bid.salt & 0xffn)
    const burning = { account, word: next.bid.salt >> 8n, mask, deadline }
    await chain.send([await signedBurn(signing, burning, sender)])
    await refused(next.tx, 'SaltSpent')
  })

/** Expects that the contract would refuse `tx` with that error. */
async function refused(tx: Readonly<{ from: string; to?: string; data?: string }>, name: string) {
  const { from, to, data } = tx
  const rpc = rpcAt(venue.devnet.rpcUrl)
  await assert.rejects(rpc.call('eth_call', { from, to, data }, 'latest'), (error) => {
    assert.ok(error instanceof CallRefused)
    assert.ok(error.message.includes(SELECTORS[name] ?? name), error.message)
    return true
  })
}
const SELECTORS: Readonly<Record<string, string>> = {
  SaltSpent: toFunctionSelector('SaltSpent(uint256)'),
  SignerUnfit: toFunctionSelector('SignerUnfit(address,address)'),
}

test('a sub-account gets a key by the signature of its owner, and trades with its own margin', async () => {
  const { accounts, perps, tokens } = venue.devnet.deployment
  const wallet = walletAddress(owner)
  const index = 7
  const data = encodeFunctionData({ abi: accountsAbi, functionName: 'openSub', args: [index] })
  await chain.send([{ from: wallet, to: accounts, data, gas: GAS }])
  const account = await onChain<number>('accounts')
  const sub = (await onChain<string>('walletOf', account)).toLowerCase()
  assert.equal(await onChain<string>('ownerOf', account), wallet)
  await chain.send([transfer(wallet, perps, tokens.USDC, { to: sub, amount: MONEY / 2n })])
  const subClient = await until('the sub-account registers', () =>
    openAccount(venue.devnet, owner, { subAccount: sub, isOnChain: true }).catch((error: Error) => {
      // The indexer has not stored the owner yet.
      assert.match(error.message, /^INVALID_SIGNATURE/)
      return undefined
    }),
  )
  assert.equal(subClient.registered.account, sub)
  await relayed(subClient)
  assert.equal((await readKey(subClient.registered.signingKey))[0], account)
  const { digest, tx } = await bidIn(subClient, 'ETH-PERP')
  await chain.send([tx])
  const order = await openWith(subClient, digest)
  assert.equal(order.account, sub)
  assert.deepEqual(await openOrders(client), [], "the owner's own account has no part in it")
  const { body } = await subClient.ask('/account')
  assert.equal((body as AccountRow).account, sub)
})

test('a key of another account is refused at registration', async () => {
  const { signingPrivateKey } = client.registered
  const again = openAccount(venue.devnet, ROLES.visitors[2], { signingPrivateKey, isOnChain: true })
  await assert.rejects(again, { status: 409, message: /^KEY_TAKEN: signing_key/ })
})

test('a key revoked by its wallet cannot sign any more, and never becomes valid again', async () => {
  const { apiUrl } = venue.devnet
  const { registered, headers } = client
  const revocation = { method: 'DELETE', headers, body: { on_chain: true } }
  const { status, body: refusal } = await request<Refusal>(apiUrl, '/api-key', revocation)
  assert.deepEqual([status, refusal.error], [409, 'ON_CHAIN_REVOKE_BY_WALLET'])
  const call = refusal.details[0]?.call
  assert.equal(call?.chain_id, venue.devnet.deployment.chainId)
  await client.ask('/account')
  assert.notEqual((await readKey(registered.signingKey))[1], DEAD)
  const { tx } = await bidIn(client, 'ETH-USDC')
  const from = walletAddress(owner)
  await chain.send([{ from, to: call?.to ?? '', data: call?.data ?? '', gas: GAS }])
  assert.equal((await readKey(registered.signingKey))[1], DEAD)
  await refused(tx, 'SignerUnfit')
  await client.ask('/account')
  const { signingPrivateKey } = registered
  const again = openAccount(venue.devnet, owner, { signingPrivateKey, isOnChain: true })
  await assert.rejects(again, { status: 409, message: /^KEY_REVOKED: signing_key/ })
  // The API knows it as soon as the indexer does, whether the key is for the chain or not.
  await until('the key registers no more here', () =>
    openAccount(venue.devnet, owner, { signingPrivateKey }).then(
      () => undefined,
      ({ message }: Error) => {
        assert.match(message, /^KEY_REVOKED: signing_key/)
        return message
      },
    ),
  )
})

type Refusal = Readonly<{
  error: string
  details: readonly Readonly<{ call?: { to: string; data: string; chain_id: number } }>[]
}>
