import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addWallet, readAnnounced, type WalletAnnouncement } from './announced-wallets.ts'

const provider = () => ({ request: async () => null })
const PICTURE = 'data:image/svg+xml;base64,PHN2Zy8+'

const announce = (info: Record<string, unknown>, from: unknown = provider()) =>
  readAnnounced({
    info: { name: 'A wallet', rdns: 'org.wallet', icon: PICTURE, ...info },
    provider: from,
  })

describe('an announced wallet', () => {
  test('an announced wallet has a name, an icon, and an id to find it again', () => {
    const announcing = provider()
    assert.deepEqual(announce({}, announcing), {
      ...{ id: 'org.wallet', name: 'A wallet', icon: PICTURE, provider: announcing },
    })
    assert.equal(announce({ rdns: 7 })?.id, 'A wallet')
  })

  test('an announced wallet has an icon only from a data: URI', () => {
    for (const icon of [
      'https://x.org/a.png',
      'data:text/html,<b>',
      'javascript:alert(1)',
      7,
      null,
    ])
      assert.equal(announce({ icon })?.icon, '', `${icon}`)
    assert.equal(announce({ icon: `data:image/png;base64,${'A'.repeat(200_000)}` })?.icon, '')
  })

  test('an announced wallet has a name that is one line of visible text', () => {
    assert.equal(announce({ name: ' \u202Eevil\n\u0000 wallet ' })?.name, 'evil wallet')
    assert.equal(announce({ name: 'x'.repeat(100) })?.name.length, 32)
    assert.equal(announce({ name: '<img onerror=alert(1)>' })?.name, '<img onerror=alert(1)>')
  })

  test('an announcement that is not of a wallet is ignored', () => {
    for (const detail of [undefined, null, 'text', {}, { info: {} }, { info: { name: 'x' } }])
      assert.equal(readAnnounced(detail), undefined)
    assert.equal(announce({ name: '\u200B' }), undefined)
    assert.equal(announce({}, { request: 'no function' }), undefined)
  })
})

describe('several wallets', () => {
  const names = (wallets: readonly WalletAnnouncement[]) =>
    wallets.map(({ id, name }) => `${id}: ${name}`)
  const add = (wallets: readonly WalletAnnouncement[], name: string, from: unknown) => {
    const wallet = announce({ name }, from)
    assert.ok(wallet)
    return addWallet(wallets, wallet)
  }

  test('several wallets are listed once each, however often they are announced', () => {
    const announcing = provider()
    const wallets = add(add([], 'One', announcing), 'One again', announcing)
    assert.deepEqual(names(wallets), ['org.wallet: One again'])
  })

  test('wallets with the same identity are all listed, and none replaces another', () => {
    const wallets = add(add(add([], 'One', provider()), 'Two', provider()), 'Three', provider())
    assert.deepEqual(names(wallets), [
      'org.wallet: One',
      'org.wallet #2: Two',
      'org.wallet #3: Three',
    ])
  })
})
