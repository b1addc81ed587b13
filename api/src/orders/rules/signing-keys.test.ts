import assert from 'node:assert/strict'
import { test } from 'node:test'
import { E18 } from '@openvenue/core/integers'
import { accountWallet } from '@openvenue/core/test/scenario/listing'
import { SCENARIO_START_SECONDS, scenario } from '@openvenue/core/test/scenario/scenario'
import type { SigningKey } from '@openvenue/store/history/account-history'
import { hashTypedData } from 'viem'
import { ORDER_SETTINGS, orderKey, orderModel, signDigest } from '../../../test/order-model.ts'
import { checkSigner } from '../place/admission.ts'
import { parseOrder } from './order-body.ts'
import { Signers } from './signing-keys.ts'

const KEY = orderKey(9n)
const NOW = SCENARIO_START_SECONDS
const FRESH = { read: (ask: (from: 'primary') => unknown) => ask('primary') } as never

/** A node whose database has these keys; counts how often it is asked. */
function nodeWith(keys: Readonly<Record<string, SigningKey>>) {
  const played = scenario()
    .index('ETH', 3_000n * E18)
    .list('ETH-PERP')
    .deposit('alice', 'USDC', 1n)
  const { model, applyBlocks } = orderModel(played.next().blocks())
  const asked: string[] = []
  const known = new Map(Object.entries(keys))
  const signers = new Signers({
    model,
    history: {
      signingKey: async (key) => {
        asked.push(key)
        return { blockNumber: 1, rows: known.get(key) } as never
      },
    },
    fresh: FRESH,
  })
  const account = played.accountOf('alice')
  const say = (event: object) => {
    const before = played.blocks().length
    played.say(event as never)
    applyBlocks(played.blocks().slice(before))
  }
  return { model, signers, account, asked, say }
}
type Node = ReturnType<typeof nodeWith>

async function check({ model, signers, account }: Node, key = KEY, nowSeconds = NOW) {
  const body = {
    instrument: 'ETH-PERP',
    maker: accountWallet(account),
    is_buy: true,
    limit_price: `${3_000n * E18}`,
    amount: `${E18}`,
    salt: '1',
    deadline: NOW + 60,
  }
  const context = { model, settings: ORDER_SETTINGS, isSignatureOptional: true }
  const { digest } = parseOrder(body, context)
  const signed = parseOrder({ ...body, signature: await signDigest(key, digest) }, context)
  return checkSigner({ signers, settings: ORDER_SETTINGS, account, nowSeconds }, signed)
}

const address = KEY.address.toLowerCase()
const LIVE: SigningKey = { account: 3, expirySeconds: NOW + 60, isRevoked: false }

test('a live key of the account may sign, and is asked about once', async () => {
  const node = nodeWith({ [address]: LIVE })
  assert.equal(node.account, 3)
  for (let i = 0; i < 3; i++) assert.deepEqual(await check(node), { signer: address, problems: [] })
  assert.deepEqual(node.asked, [address])
})

test('an invalid signing key is refused with the recovered address, the digest and the typed data', async () => {
  const cases: readonly [Readonly<Record<string, SigningKey>>, RegExp][] = [
    [{}, /not a registered key/],
    [{ [address]: { ...LIVE, account: 2 } }, /another account/],
    [{ [address]: { ...LIVE, isRevoked: true } }, /revoked/],
    [{ [address]: { ...LIVE, expirySeconds: NOW } }, /expired/],
  ]
  for (const [keys, reason] of cases) {
    const { problems } = await check(nodeWith(keys))
    assert.equal(problems[0]?.code, 'ORDER_BAD_SIGNING_KEY')
    assert.match(problems[0]?.message ?? '', reason)
    assert.equal(problems[0]?.recovered, address)
    assert.equal(hashTypedData(problems[0]?.typed_data as never), problems[0]?.digest)
  }
})

test('a key that the chain registers or revokes counts from that block on', async () => {
  const node = nodeWith({})
  assert.equal((await check(node)).problems.length, 1)
  const { account } = node
  node.say({ type: 'KeyRegistered', account, key: address, expiry: NOW + 600 })
  assert.deepEqual((await check(node)).problems, [])
  node.say({ type: 'KeyRevoked', account, key: address })
  assert.match((await check(node)).problems[0]?.message ?? '', /revoked/)
})

test('while the database is away a key that is not known is 503, one that is passes', async () => {
  const node = nodeWith({})
  const away = new Signers({
    model: node.model,
    history: { signingKey: () => Promise.reject(new Error('away')) },
    fresh: FRESH,
  })
  await assert.rejects(check({ ...node, signers: away }), { code: 'HISTORY_UNAVAILABLE' })
  node.say({ type: 'KeyRegistered', account: 3, key: address, expiry: NOW + 600 })
  assert.deepEqual((await check({ ...node, signers: away })).problems, [])
})
