// POST and DELETE /account/cancellers: allowances that the venue relays, or refuses to relay.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { WALLET_UNFINISHED_MAX } from '@openvenue/store/identity/key-relays'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { CancellerRelay, Cancellers } from '@openvenue/wire/cancellers'
import { Value } from 'typebox/value'
import { encodeErrorResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { accountNode } from '../../test/account-node.ts'
import { funded } from '../../test/funded.ts'
import { CONTRACT, newWallet } from '../../test/key-node.ts'
import { issueKey } from '../../test/keyed.ts'
import { ALLOW_ABI } from '../identity/allow-canceller.ts'
import { CallReverted } from '../identity/eth-call.ts'
import type { AccountSettings } from '../node/account-settings.ts'

const VENUE = `0x${'ca'.repeat(20)}`
const FRIEND = `0x${'f1'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`
const SIGNATURE = `0x${'1b'.repeat(65)}` as const
const DAY = 86_400
const ABI = parseAbi(ALLOW_ABI)
const REVOKE = parseAbi(['function revokeCanceller(address wallet, address canceller)'])

type Answer = Readonly<{ error: string; details: { field: string; nearest?: unknown }[] }>

let store: Store
before(async () => {
  store = await openMemoryStore()
})
after(() => store.close())

async function open(settings: Partial<AccountSettings> = {}) {
  await store.db.primary.query('DELETE FROM key_relays')
  const scenario = funded('ETH-PERP')
  const account = scenario.accountOf('alice')
  const asked: { to?: string; data: string }[] = []
  const chain = { answer: async (): Promise<string> => '0x' }
  const venue = await accountNode(store, scenario, {
    settings: { accountsContract: CONTRACT, cancellerAddress: VENUE, ...settings },
    call: (call) => {
      asked.push(call)
      return chain.answer()
    },
  })
  const { headers } = await issueKey(store, venue.walletOf('alice'), 0, 4_000_000_000_000)
  const send = async (method: 'POST' | 'DELETE', url: string, payload?: unknown) => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const sent = payload === undefined ? {} : { payload: JSON.stringify(payload) }
    const all = { ...headers, ...type }
    const answer = await venue.host.inject({ method, url, headers: all, ...sent })
    return { status: answer.statusCode, body: JSON.parse(answer.body) }
  }
  const head = venue.model.head?.seconds ?? 0
  const expiry = head + DAY
  const post = (members: object = {}) =>
    send('POST', '/account/cancellers', { expiry, signature: SIGNATURE, ...members })
  const revert = (errorName: 'SignatureInvalid' | 'CancellerExpirySpent', args: unknown[]) => {
    const data = encodeErrorResult({ abi: ABI, errorName, args } as never)
    chain.answer = () => Promise.reject(new CallReverted('revert', data))
  }
  const wallet = venue.walletOf('alice') as Hex
  return { ...venue, scenario, account, asked, chain, send, post, revert, head, expiry, wallet }
}

describe('POST /account/cancellers', () => {
  test('POST /account/cancellers brings a signature that ends in a recovery id into the form of the contract', async () => {
    const venue = await open()
    for (const [last, taken] of [
      ['00', '1b'],
      ['01', '1c'],
    ]) {
      await store.db.primary.query('DELETE FROM key_relays')
      venue.asked.length = 0
      const { status } = await venue.post({ signature: `${SIGNATURE.slice(0, -2)}${last}` })
      assert.equal(status, 200)
      const { data = '' } = venue.asked[0] ?? {}
      assert.ok(data.includes(`${SIGNATURE.slice(2, -2)}${taken}`))
    }
    await venue.close()
  })

  test('POST /account/cancellers leaves the signature of a contract wallet unchanged, whatever its last byte', async () => {
    const venue = await open()
    const bytes = `${SIGNATURE.slice(0, -2)}01`
    const refusal = new CallReverted(
      'revert',
      encodeErrorResult({ abi: ABI, errorName: 'SignatureInvalid', args: [FRIEND] } as never),
    )
    venue.chain.answer = async () => {
      const { data = '' } = venue.asked.at(-1) ?? {}
      if (data.includes(bytes.slice(2))) return '0x'
      throw refusal
    }
    assert.equal((await venue.post({ signature: bytes })).status, 200)
    await venue.close()
  })

  test('POST /account/cancellers queues what the contract accepts, once, and GET shows its progress', async () => {
    const venue = await open()
    const { status, body } = await venue.post({ expiry: String(venue.expiry), canceller: VENUE })
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Value.Check(CancellerRelay, body))
    assert.deepEqual(
      [body.canceller, body.expiry, body.status],
      [VENUE, `${venue.expiry}`, 'pending'],
    )
    assert.deepEqual(venue.asked, [
      {
        to: CONTRACT,
        data: encodeFunctionData({
          abi: ABI,
          functionName: 'allowCancellerSigned',
          args: [venue.wallet, VENUE as Hex, BigInt(venue.expiry), SIGNATURE],
        }),
        gas: '0x927c0',
      },
    ])
    assert.deepEqual((await venue.post()).body, body, 'a repeat is the same')
    const relay = await store.keyRelays.newestAllowance(venue.wallet)
    assert.deepEqual([relay?.walletSignature, relay?.kind], [SIGNATURE, 'canceller'])
    const shown = async () => {
      const answer = (await venue.as('alice', '/account/cancellers')).body
      assert.ok(Value.Check(Cancellers, answer))
      return answer.on_chain
    }
    assert.deepEqual(await shown(), body)
    await store.keyRelays.failed(relay?.id ?? '', 'CancellerExpirySpent', Date.now())
    const failed = await shown()
    assert.deepEqual([failed?.status, failed?.reason], ['failed', 'CancellerExpirySpent'])
    assert.equal((await venue.post()).body.status, 'pending', 'one that failed is tried again')
    await store.keyRelays.done(relay?.id ?? '', Date.now(), HASH)
    const done = await shown()
    assert.deepEqual([done?.status, done?.transaction_hash], ['done', HASH])
    await venue.close()
  })

  test('POST /account/cancellers refuses invalid values before it asks the chain, with the nearest valid one', async () => {
    const venue = await open()
    const { head } = venue
    for (const [members, error, field, nearest] of [
      [{ canceller: FRIEND }, 'INVALID_PARAMETER', 'canceller', VENUE],
      [{ canceller: '0x12' }, 'MALFORMED_ADDRESS', 'canceller', undefined],
      [{ canceller: 7 }, 'MALFORMED_ADDRESS', 'canceller', undefined],
      [{ expiry: head }, 'INVALID_PARAMETER', 'expiry', head + 1],
      [{ expiry: head + 30 * DAY + 1 }, 'INVALID_PARAMETER', 'expiry', head + 30 * DAY],
      [{ expiry: String(2n ** 256n - 1n) }, 'INVALID_PARAMETER', 'expiry', head + 30 * DAY],
      [{ expiry: null }, 'MISSING_PARAMETER', 'expiry', undefined],
      [{ signature: null }, 'MISSING_PARAMETER', 'signature', undefined],
    ] as const) {
      const { status, body } = await venue.post(members)
      const refused = body as Answer
      const [detail] = refused.details
      assert.deepEqual(
        [status, refused.error, detail?.field, detail?.nearest],
        [400, error, field, nearest],
        JSON.stringify(members),
      )
    }
    for (const signature of ['0x', 'zz', 7, `0x${'1b'.repeat(4097)}`])
      assert.equal((await venue.post({ signature })).body.error, 'INVALID_SIGNATURE')
    assert.deepEqual(venue.asked, [])
    assert.equal(await store.keyRelays.newestAllowance(venue.wallet), undefined)
    await venue.close()
  })

  test('POST /account/cancellers refuses what the contract refuses, and queues nothing', async () => {
    const venue = await open()
    venue.revert('SignatureInvalid', [venue.wallet])
    const forged = await venue.post()
    assert.deepEqual([forged.status, forged.body.error], [401, 'INVALID_SIGNATURE'])
    assert.equal(forged.body.details[0].typed_data.message.canceller, VENUE)
    venue.revert('CancellerExpirySpent', [BigInt(venue.expiry), venue.expiry + 5])
    const spent = await venue.post()
    assert.deepEqual(
      [spent.status, spent.body.details[0].field, spent.body.details[0].nearest],
      [400, 'expiry', venue.expiry + 6],
    )
    venue.revert('CancellerExpirySpent', [BigInt(venue.expiry), 2 ** 40 - 1])
    const revoked = await venue.post()
    assert.deepEqual([revoked.status, revoked.body.error], [409, 'ON_CHAIN_REFUSED'])
    assert.match(revoked.body.message, /Canceller is revoked: .*call of GET \/account\/cancellers/)
    venue.chain.answer = () => Promise.reject(new CallReverted('out of gas'))
    const other = await venue.post()
    assert.deepEqual([other.status, other.body.error], [409, 'ON_CHAIN_REFUSED'])
    venue.chain.answer = () => Promise.reject(new Error('away'))
    const away = await venue.post()
    assert.deepEqual([away.status, away.body.error], [503, 'CHAIN_UNAVAILABLE'])
    assert.equal(await store.keyRelays.newestAllowance(venue.wallet), undefined)
    await venue.close()
  })

  test('POST /account/cancellers accepts an allowance by a key that is on its way to the chain, and by no other', async () => {
    const venue = await open()
    const key = newWallet()
    const { body } = await venue.as('alice', `/account/cancellers?expiry=${venue.expiry}`)
    const { allow } = body as Cancellers
    const signature = await key.sign({ hash: (allow?.digest ?? '0x') as Hex })
    venue.revert('SignatureInvalid', [venue.wallet])
    assert.equal((await venue.post({ signature })).body.error, 'INVALID_SIGNATURE')
    const outcome = await store.keyRelays.enqueue(
      {
        wallet: venue.wallet,
        signingKey: key.address.toLowerCase(),
        expiry: BigInt(venue.expiry),
        walletSignature: '0x01',
        signingKeySignature: '0x02',
      },
      Date.now(),
    )
    assert.ok('relay' in outcome)
    assert.equal((await venue.post({ signature })).body.status, 'pending')
    assert.equal((await venue.post()).body.error, 'INVALID_SIGNATURE', 'another signer')
    await store.keyRelays.failed(outcome.relay.id, 'KeyDead', Date.now())
    assert.equal((await venue.post({ signature })).body.error, 'INVALID_SIGNATURE')
    await venue.close()
  })

  test('ever later expiries cost the venue a bounded number of transactions', async () => {
    const venue = await open()
    for (let count = 0; count < WALLET_UNFINISHED_MAX; count += 1)
      assert.equal((await venue.post({ expiry: venue.expiry + count })).status, 200)
    const refused = await venue.post({ expiry: venue.expiry + 99 })
    assert.deepEqual([refused.status, refused.body.error], [429, 'RATE_LIMIT_EXCEEDED'])
    await venue.close()
  })

  test('POST /account/cancellers is not offered without a contract or a canceller', async () => {
    const venue = await open({ accountsContract: undefined })
    assert.equal((await venue.post()).body.error, 'ON_CHAIN_NOT_OFFERED')
    await venue.close()
  })
})

describe('DELETE /account/cancellers', () => {
  test('DELETE /account/cancellers is 409 with the call of the wallet, and done when no canceller is allowed', async () => {
    const venue = await open()
    const url = `/account/cancellers?canceller=${VENUE}`
    assert.deepEqual(await venue.send('DELETE', url), { status: 200, body: { success: true } })
    const { account } = venue
    const said = {
      type: 'CancellerAllowed',
      account,
      canceller: VENUE,
      expiry: venue.expiry,
      key: null,
    } as const
    venue.scenario.next().say(said)
    venue.follow()
    const { status, body } = await venue.send('DELETE', url)
    assert.deepEqual([status, body.error], [409, 'CANCELLER_BY_WALLET'])
    const args = [venue.wallet, VENUE as Hex] as const
    assert.deepEqual(body.details[0].call, {
      to: CONTRACT,
      data: encodeFunctionData({ abi: REVOKE, functionName: 'revokeCanceller', args }),
      value: '0',
      chain_id: 5042002,
    })
    const malformed = await venue.send('DELETE', '/account/cancellers?canceller=0x12')
    assert.deepEqual([malformed.status, malformed.body.error], [400, 'MALFORMED_ADDRESS'])
    const absent = await venue.send('DELETE', '/account/cancellers')
    assert.deepEqual([absent.status, absent.body.error], [400, 'MISSING_PARAMETER'])
    await venue.close()
  })
})
