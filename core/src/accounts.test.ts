import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { replay } from '../test/scenario/replay.ts'
import { scenario } from '../test/scenario/scenario.ts'

const VENUE = `0x${'c'.repeat(40)}`
const opened = () =>
  scenario()
    .say({ type: 'AccountOpened', account: 9, wallet: `0x${'5'.repeat(40)}` })
    .say({
      type: 'CancellerAllowed',
      account: 9,
      canceller: VENUE,
      expiry: 2_000_000_000,
      key: null,
    })
const cancellers = (tale: ReturnType<typeof opened>) => [
  ...replay(tale.blocks()).state.records.canceller.values(),
]

describe('a canceller', () => {
  test('the venue stores a canceller with its account and the first second in which it may no longer cancel', () => {
    assert.deepEqual(cancellers(opened()), [
      {
        account: 9,
        canceller: VENUE,
        expirySeconds: 2_000_000_000,
        key: null,
        allowedSeconds: 2_000_000_000,
      },
    ])
  })

  test('the venue gives a canceller the expiry that was allowed last', () => {
    const tale = opened().say({
      type: 'CancellerAllowed',
      account: 9,
      canceller: VENUE,
      expiry: 1_900_000_000,
      key: null,
    })
    assert.deepEqual(
      cancellers(tale).map(({ expirySeconds }) => expirySeconds),
      [1_900_000_000],
    )
  })

  test('the venue ends a canceller allowed by a key when that key expires or is revoked', () => {
    const [key, other] = [`0x${'6'.repeat(40)}`, `0x${'7'.repeat(40)}`]
    const tale = opened()
      .say({ type: 'KeyRegistered', account: 9, key, expiry: 1_950_000_000 })
      .say({ type: 'CancellerAllowed', account: 9, canceller: other, expiry: 2_000_000_000, key })
    assert.deepEqual(
      cancellers(tale).map(({ expirySeconds }) => expirySeconds),
      [2_000_000_000, 1_950_000_000],
    )
    tale.say({ type: 'KeyRevoked', account: 9, key })
    assert.deepEqual(
      cancellers(tale).map(({ canceller }) => canceller),
      [VENUE],
    )
  })

  test('the venue limits a canceller to the new expiry of a key that is registered again', () => {
    const [key, other] = [`0x${'6'.repeat(40)}`, `0x${'7'.repeat(40)}`]
    const tale = opened()
      .say({ type: 'KeyRegistered', account: 9, key, expiry: 1_950_000_000 })
      .say({ type: 'CancellerAllowed', account: 9, canceller: other, expiry: 2_000_000_000, key })
    const expiryAfter = (expiry: number) => {
      tale.say({ type: 'KeyRegistered', account: 9, key, expiry })
      return cancellers(tale).find(({ canceller }) => canceller === other)?.expirySeconds
    }
    assert.equal(expiryAfter(1_970_000_000), 1_970_000_000)
    assert.equal(expiryAfter(2_100_000_000), 2_000_000_000)
    assert.equal(expiryAfter(1_940_000_000), 1_940_000_000)
  })

  test('the venue removes a revoked canceller, which may be allowed again', () => {
    const revoked = opened().say({ type: 'CancellerRevoked', account: 9, canceller: VENUE })
    assert.deepEqual(cancellers(revoked), [])
    revoked.say({
      ...{ type: 'CancellerAllowed', account: 9, canceller: VENUE, expiry: 1_900_000_000 },
      key: null,
    })
    assert.equal(cancellers(revoked).length, 1)
  })

  test('the venue ignores the revocation of a canceller that was never allowed', () => {
    const tale = opened().say({ type: 'CancellerRevoked', account: 8, canceller: VENUE })
    assert.equal(cancellers(tale).length, 1)
  })
})
