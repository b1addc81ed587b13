import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeRelayStatus, type RelayStatus } from '@openvenue/core/relay'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { Cancellers } from '@openvenue/wire/cancellers'
import { Value } from 'typebox/value'
import { encodeFunctionData, type Hex, hashTypedData, parseAbi, toFunctionSelector } from 'viem'
import { type AccountNode, type AccountNodeOptions, accountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'
import { CONTRACT } from '../../test/key-node.ts'
import { SELECTORS } from '../identity/account-calls.ts'
import type { AccountSettings } from '../node/account-settings.ts'

const VENUE = `0x${'ca'.repeat(20)}`
const FRIEND = `0x${'f1'.repeat(20)}`
const ABI = parseAbi([
  'function allowCanceller(address wallet, address canceller, uint256 expiry)',
  'function revokeCanceller(address wallet, address canceller)',
])
const DAY = 86_400

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

async function open(
  settings: Partial<AccountSettings> = {},
  intents?: AccountNodeOptions['intents'],
) {
  const scenario = funded('ETH-PERP')
  scenario.accountOf('alice')
  const all = { accountsContract: CONTRACT, cancellerAddress: VENUE, ...settings }
  const venue = await accountNode(store, scenario, {
    settings: all,
    ...(intents && { intents }),
  })
  const account = scenario.accountOf('alice')
  const allow = (canceller: string, expiry: number) =>
    scenario.next().say({ type: 'CancellerAllowed', account, canceller, expiry, key: null })
  const revoke = (canceller: string) =>
    scenario.next().say({ type: 'CancellerRevoked', account, canceller })
  return { ...venue, scenario, allow, revoke }
}

async function read(venue: AccountNode, query = '', who = 'alice'): Promise<Cancellers> {
  const { status, body } = await venue.as(who, `/account/cancellers${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(Value.Check(Cancellers, body))
  return body
}

describe('GET /account/cancellers', () => {
  test('GET /account/cancellers lists the cancellers with their expiry, and marks the venue', async () => {
    const venue = await open()
    assert.deepEqual((await read(venue)).cancellers, [])
    const now = venue.scenario.seconds
    venue.allow(VENUE, now + 20 * DAY)
    venue.allow(FRIEND, now + 30 * DAY)
    venue.follow()
    const { cancellers, venue_canceller } = await read(venue)
    assert.equal(venue_canceller, VENUE)
    assert.deepEqual(
      cancellers.map(({ canceller, expiry, expires_timestamp, is_venue }) => [
        canceller,
        expiry,
        expires_timestamp,
        is_venue,
      ]),
      [
        [FRIEND, `${now + 30 * DAY}`, `${now + 30 * DAY}000000000`, false],
        [VENUE, `${now + 20 * DAY}`, `${now + 20 * DAY}000000000`, true],
      ],
    )
    assert.deepEqual((await read(venue, '', 'bob')).cancellers, [], 'each sees its own')
    const below = await venue.as('alice', `/account/${venue.walletOf('alice')}/cancellers`)
    assert.deepEqual(below.body, await read(venue))
    await venue.close()
  })

  test('GET /account/cancellers omits revoked and expired cancellers, and those that a reorg removed', async () => {
    const venue = await open()
    const now = venue.scenario.seconds
    venue.allow(VENUE, now + DAY)
    venue.follow()
    await read(venue)
    venue.revoke(VENUE)
    venue.follow()
    assert.deepEqual((await read(venue)).cancellers, [])
    venue.undoBlock()
    assert.equal((await read(venue)).cancellers.length, 1)
    const other = await open()
    other.allow(FRIEND, other.scenario.seconds + 100)
    other.scenario.next(98).index('ETH', 10n ** 21n)
    other.follow()
    assert.equal((await read(other)).cancellers.length, 1)
    other.scenario.next(1).index('ETH', 10n ** 21n)
    other.follow()
    assert.deepEqual((await read(other)).cancellers, [])
    await venue.close()
    await other.close()
  })

  test('GET /account/cancellers gives calls and a message that the contract accepts', async () => {
    const venue = await open()
    const now = venue.scenario.seconds
    venue.allow(FRIEND, now + DAY)
    venue.follow()
    const wallet = venue.walletOf('alice') as Hex
    const { allow, cancellers } = await read(venue)
    assert.ok(allow !== null)
    const head = venue.model.head?.seconds ?? 0
    assert.equal(allow.expiry, String(head + 30 * DAY - 3600))
    const args = [wallet, VENUE as Hex, BigInt(allow.expiry)] as const
    const data = encodeFunctionData({ abi: ABI, functionName: 'allowCanceller', args })
    assert.deepEqual(allow.call, { to: CONTRACT, data, value: '0', chain_id: 5042002 })
    assert.deepEqual(allow.typed_data.message, {
      account: wallet,
      canceller: VENUE,
      expiry: allow.expiry,
    })
    assert.equal(allow.digest, hashTypedData(allow.typed_data as never))
    const revoke = [wallet, FRIEND as Hex] as const
    assert.equal(
      cancellers[0]?.revoke?.data,
      encodeFunctionData({ abi: ABI, functionName: 'revokeCanceller', args: revoke }),
    )
    for (const [signature, selector] of Object.entries(SELECTORS))
      assert.equal(selector, toFunctionSelector(signature), signature)
    await venue.close()
  })

  test('GET /account/cancellers answers for the requested canceller and expiry', async () => {
    const venue = await open()
    const head = venue.model.head?.seconds ?? 0
    const { allow } = await read(venue, `?canceller=${FRIEND.toUpperCase().replace('X', 'x')}`)
    assert.equal(allow?.canceller, FRIEND)
    const dated = await read(venue, `?expiry=${head + DAY}`)
    assert.deepEqual([dated.allow?.canceller, dated.allow?.expiry], [VENUE, String(head + DAY)])
    for (const [query, error, nearest] of [
      ['canceller=0x12', 'MALFORMED_ADDRESS', undefined],
      [`expiry=${head}`, 'INVALID_PARAMETER', head + 1],
      [`expiry=${head + 30 * DAY + 1}`, 'INVALID_PARAMETER', head + 30 * DAY],
    ] as const) {
      const { status, body } = await venue.as('alice', `/account/cancellers?${query}`)
      const refused = body as { error: string; details: { nearest?: number }[] }
      assert.deepEqual([status, refused.error, refused.details[0]?.nearest], [400, error, nearest])
    }
    await venue.close()
  })

  test('GET /account/cancellers names the canceller of the relayer when the operator sets none', async () => {
    const status: RelayStatus = {
      lanes: [],
      gasPerBlock: 1,
      blockMs: 1,
      ordersPerTx: 1,
      gasPerTx: 1,
      block: 1,
      canceller: FRIEND,
    }
    const said = { status: encodeRelayStatus(status), updatedMs: 0 }
    const none = { cancellerAddress: undefined }
    const venue = await open(none, { readStatus: async () => said })
    const { venue_canceller, allow } = await read(venue)
    assert.deepEqual([venue_canceller, allow?.canceller], [FRIEND, FRIEND])
    await venue.close()
    const away = await open(none, { readStatus: () => Promise.reject(new Error('away')) })
    assert.equal((await read(away)).venue_canceller, null)
    await away.close()
  })

  test('GET /account/cancellers without a contract or a canceller of the venue has neither calls nor messages', async () => {
    const venue = await open({ accountsContract: undefined })
    venue.allow(FRIEND, venue.scenario.seconds + DAY)
    venue.follow()
    const { allow, cancellers } = await read(venue)
    assert.deepEqual([allow, cancellers[0]?.revoke], [null, null])
    const none = await open({ cancellerAddress: undefined })
    const { allow: ofNobody, venue_canceller } = await read(none)
    assert.deepEqual([ofNobody, venue_canceller], [null, null])
    assert.equal((await read(none, `?canceller=${FRIEND}`)).allow?.canceller, FRIEND)
    await venue.close()
    await none.close()
  })
})
