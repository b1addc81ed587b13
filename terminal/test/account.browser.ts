// An account in a real browser: stored and leftover data, notifications and announcements, keyboard
// shortcuts, and keys that act for the account.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseConfig } from '@openvenue/devnet/config'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { readAlerts, untilQuiet, watchAlerts } from './alerts.ts'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import {
  findSecrets,
  readKept,
  readSecrets,
  readStores,
  type Secrets,
  type Traces,
  watchTraces,
  wordsOf,
} from './kept-secrets.ts'
import { KeysPage } from './keys-page.ts'
import { listenToRegions, readAnnounced, untilTicks } from './live-regions.ts'
import { draftOrder, haveBoth, untilUnread } from './own-orders.ts'
import { startPageVenue } from './page-venue.ts'
import { goTo, untilBook } from './shown-market.ts'
import { KEYS, listedKeys, turnKeysOff } from './single-keys.ts'
import { setHidden } from './speed/hide.ts'
import { smallTargets } from './targets.ts'

/** A test wallet gets its money, deposits and registers; the venue records equity. */
const READY_MS_MAX = 120_000
/** All parts of the order form. */
const ORDER_PARTS = [
  ...['h2', '.sides .buy', '.sides .sell', '#order-price', '#order-amount'],
  ...['.order-facts', '.order-slider', 'select', '.order-flags', '.place'],
]
const LAPTOP = { width: 1280, height: 800 }
const VIEWPORTS = [LAPTOP, { width: 768, height: 1024 }, { width: 360, height: 740 }]
/** Number of updates to wait for: of anything that ticks, and of the book. */
const TICKS = { all: 20, book: 3 }
/** Short enough that consecutive minutes have a point. */
const EQUITY_SECONDS = '5'
/** Expiry that the contract returns for a revoked key. */
const REVOKED_SECONDS = 1

type Note = Readonly<{ id: string; title: string; message: string; read: boolean }> &
  Readonly<{ data: Readonly<Record<string, string>> }>
type Notes = Readonly<{ unread_count: number; notifications: readonly Note[] }>

describe('the page of an account', () => {
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let page: Page
  let traces: Traces
  /** Secrets of all sessions so far. */
  const secrets: Secrets[] = []
  before(async () => {
    const { settings } = parseConfig({ EQUITY_SNAPSHOT_INTERVAL_S: EQUITY_SECONDS })
    venue = await startPageVenue({ settings })
    browser = await startBrowser()
    opened = await openPage(browser, 'about:blank', { viewport: LAPTOP })
    page = opened.page
    traces = watchTraces(page)
    await page.goto(`${venue.devnet.apiUrl}/?market=ETH-PERP`)
    await untilBook(page)
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    secrets.push(await readSecrets(page))
    await haveBoth(page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await venue?.remove()
  })

  const newest = (): Secrets => secrets.at(-1) as Secrets
  const headers = () => ({
    'api-key': newest().apiKey.key,
    'api-secret': newest().apiKey.secret,
  })
  const ask = (path: string, method = 'GET', body?: object) =>
    fetch(`${venue.devnet.apiUrl}${path}`, {
      ...{ method, headers: headers() },
      ...(body && {
        headers: { ...headers(), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
  const readNotes = async () => (await (await ask('/notifications?limit=50')).json()) as Notes
  /** Prefix of a key other than the page's; empty while there is none. */
  let prefix = ''
  /** Makes the venue notify the account of a new or a revoked key. Returns the notification. */
  const notify = async (): Promise<Note> => {
    const before = (await readNotes()).notifications.map(({ id }) => id)
    const done =
      prefix === ''
        ? await ask('/api-keys', 'POST', { name: 'another', scopes: ['read'] })
        : await ask(`/api-keys/${prefix}`, 'DELETE')
    const made = (await done.json()) as { prefix?: string }
    assert.ok(done.ok, JSON.stringify(made))
    prefix = prefix === '' ? (made.prefix ?? '') : ''
    const added = (await readNotes()).notifications.find(({ id }) => !before.includes(id))
    assert.ok(added !== undefined, 'the venue has a notification of it')
    return added
  }
  const tray = () => page.locator('.notifications')
  const openTray = async () => {
    if (!(await tray().isVisible())) await page.locator('.tray').click()
    await tray().waitFor()
  }
  const sheet = () => page.locator('main.sheet')
  const go = (name: string) => goTo(page, name)
  const keys = () => new KeysPage(page, venue.devnet)

  test('the page stores keys only encrypted, with a non-extractable key', async () => {
    const { records, opened: texts, exported } = await readKept(page)
    assert.deepEqual(
      records.map(({ name, kind }) => `${name.split(' ')[0]}: ${kind}`).sort(),
      ['account: sealed 12', 'place: plain', 'sealing-key: secret false encrypt decrypt'],
      'a key that gives no bytes away, what it seals, and where the venue is',
    )
    assert.equal(exported, 'InvalidAccessError')
    const words = wordsOf(newest())
    assert.equal(findSecrets(words, texts).length, words.length, 'it is what was sealed')
    assert.deepEqual(
      findSecrets(
        words,
        records.flatMap(({ name, text }) => [name, text]),
      ),
      [],
    )
  })

  test('the page plays no sound and shows no system alert until a user turns them on', async () => {
    await watchAlerts(page)
    const added = await notify()
    await openTray()
    await tray().locator('li', { hasText: added.title }).first().waitFor()
    await setHidden(page, true)
    await notify()
    await setHidden(page, false)
    await untilUnread(page, (await readNotes()).unread_count)
    assert.deepEqual(await readAlerts(page), { shown: [], tones: 0 })
    for (const label of [/^With a sound/, /^System notifications/])
      assert.equal(await tray().getByLabel(label).isChecked(), false)
  })

  test('the page plays a tone for each notification once sound is turned on', async () => {
    await openTray()
    await tray().getByLabel('With a sound').check()
    assert.equal((await readAlerts(page)).tones, 1, 'it is heard at once')
    await untilQuiet(page)
    await notify()
    await untilUnread(page, (await readNotes()).unread_count)
    assert.equal((await readAlerts(page)).tones, 2)
    await untilQuiet(page)
    await tray().getByLabel('With a sound').uncheck()
    await notify()
    await untilUnread(page, (await readNotes()).unread_count)
    assert.equal((await readAlerts(page)).tones, 2)
  })

  test('system notifications are shown only if allowed and while the page is hidden', async () => {
    await openTray()
    const box = tray().getByLabel(/^System notifications/)
    await page.context().clearPermissions()
    await box.click()
    await tray().getByText('The browser blocks notifications').waitFor()
    assert.equal(await box.isChecked(), false)
    await page.context().grantPermissions(['notifications'])
    await box.click()
    await tray().getByText('The browser blocks notifications').waitFor({ state: 'detached' })
    assert.equal(await box.isChecked(), true)
    await notify()
    await untilUnread(page, (await readNotes()).unread_count)
    assert.deepEqual((await readAlerts(page)).shown, [], 'somebody looks')
    await setHidden(page, true)
    const { title, message, id } = await notify()
    await page.waitForFunction(
      () =>
        (globalThis as unknown as { openvenueAlerts: { shown: unknown[] } }).openvenueAlerts.shown
          .length > 0,
    )
    await setHidden(page, false)
    // The tag makes the system merge the same notification of two tabs.
    assert.deepEqual((await readAlerts(page)).shown, [{ title, body: message, tag: id }])
  })

  test('the page lists the notifications of REST, and marks them as read there', async () => {
    await openTray()
    const listed = async () =>
      tray()
        .locator('li')
        .evaluateAll((rows) =>
          rows.map((row) => [
            row.querySelector('strong')?.lastChild?.textContent?.trim(),
            row.querySelectorAll('p')[1]?.firstChild?.textContent,
            row.classList.contains('new'),
          ]),
        )
    const groups = async () => {
      const { notifications: all } = await readNotes()
      return [...Map.groupBy(all, ({ id, data }) => data['order_id'] ?? id).values()]
    }
    // One row per order, with its newest notification.
    const asked = async () =>
      (await groups()).map((group) => [
        ...[group[0]?.title, group[0]?.message],
        group.some(({ read }) => !read),
      ])
    const { unread_count: unread, notifications } = await readNotes()
    assert.ok(unread >= 6, `${unread} are unread`)
    await untilUnread(page, unread)
    assert.deepEqual(await listed(), await asked())
    const [first] = notifications
    const [marked] = await groups()
    await tray()
      .getByRole('button', { name: `Mark as read: ${first?.title}` })
      .first()
      .click()
    await untilUnread(page, unread - (marked?.length ?? 0))
    assert.equal((await readNotes()).notifications[0]?.read, true)
    assert.deepEqual(await listed(), await asked())
    await tray().getByRole('button', { name: 'Mark all as read' }).click()
    await page.locator('.unread').waitFor({ state: 'detached' })
    assert.equal((await readNotes()).unread_count, 0)
    assert.deepEqual(await listed(), await asked())
    await page.keyboard.press('Escape')
  })

  test('with a position and an order, every target is 24 px or exempt by WCAG', async () => {
    await page.locator('.rows tbody tr').first().waitFor()
    for (const viewport of VIEWPORTS) {
      await page.setViewportSize(viewport)
      for (const view of await page.getByRole('tab').all()) {
        await view.click()
        assert.deepEqual(await smallTargets(page), [], `${viewport.width} px`)
      }
      assert.deepEqual(await smallTargets(page), [], `${viewport.width} px`)
    }
    await page.setViewportSize(LAPTOP)
    await openTray()
    assert.deepEqual(await smallTargets(page), [], 'notifications')
    await page.keyboard.press('Escape')
    await page.locator('.bottom .tabs button', { hasText: 'orders' }).click()
    await page.locator('.rows').getByRole('button', { name: /^Edit/ }).waitFor()
    assert.deepEqual(await smallTargets(page), [], 'orders')
    await page.locator('.bottom .tabs button', { hasText: 'positions' }).click()
  })

  test('the order form stays in place: order news and the preview need no scrolling', async () => {
    await draftOrder(page, '0.2')
    assert.equal(await page.locator('.view-account').evaluate((view) => view.scrollTop), 0)
    assert.deepEqual(await unseenOf(page, ORDER_PARTS), [])
    await page.setViewportSize({ width: 1920, height: 1080 })
    await page.locator('.order-preview .order-facts').waitFor()
    assert.deepEqual(await unseenOf(page, [...ORDER_PARTS, '.order-preview .order-facts']), [])
    await page.setViewportSize(LAPTOP)
  })

  test('? lists every keyboard shortcut, and each does what its name describes', async () => {
    assert.deepEqual(
      await listedKeys(page),
      KEYS.map(({ key, name }) => [key, name]),
    )
    for (const { works } of KEYS) await works(page)
    await turnKeysOff(page)
  })

  test('each event of an order is announced once, in one polite region, prices never', async () => {
    await listenToRegions(page)
    await draftOrder(page, '0.2')
    await page.locator('.place').click()
    const said = page.locator('.order-news p')
    await said.filter({ hasText: /Open: buy 0.2/ }).waitFor()
    const events = (await readAnnounced(page)).filter(({ text }) => /buy 0\.2/.test(text))
    for (const words of ['Submitted: buy 0.2 ETH-PERP', 'Open: buy 0.2 ETH-PERP'])
      assert.deepEqual(
        events
          .filter(({ text }) => text.includes(words))
          .map(({ region, politeness }) => `${politeness} ${region}`),
        ['polite order-news'],
        words,
      )
    await listenToRegions(page)
    await untilTicks(page, TICKS)
    // News disappear after a while, which is not announced.
    assert.deepEqual(
      (await readAnnounced(page)).filter(({ text }) => text !== ''),
      [],
    )
  })

  test('the page lists the cancellers of the contract, revokes and allows them again', async () => {
    await go('Keys')
    await keys().changeCancellers(privateKeyToAddress(newest().walletKey as Hex))
  })

  test('the page revokes all API keys at once on request, including its own', async () => {
    const made = await ask('/api-keys', 'POST', { name: 'a program', scopes: ['read'] })
    const { api_key: key, api_secret: secret } = (await made.json()) as Record<string, string>
    const others = { 'api-key': `${key}`, 'api-secret': `${secret}` }
    const read = async () =>
      (await fetch(`${venue.devnet.apiUrl}/account`, { headers: others })).status
    assert.equal(await read(), 200)
    await keys().press('Revoke all', 'Cancel')
    assert.equal(await read(), 200)
    await keys().press('Revoke all', 'Revoke all')
    await keys().hasNone()
    assert.equal(await read(), 401)
    assert.equal((await ask('/account')).status, 401)
  })

  test('a wallet enables an account again, with new keys, after all were revoked', async () => {
    const [before] = secrets
    await go('Trade')
    await page.getByRole('button', { name: 'Get test money and trade' }).click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    secrets.push(await readSecrets(page))
    assert.equal(newest().walletKey, before?.walletKey)
    assert.notEqual(newest().signingKey, before?.signingKey)
    assert.equal((await ask('/account')).status, 200)
  })

  test('the contract revokes the signing key of an account on request', async () => {
    const key = privateKeyToAddress(newest().signingKey as Hex)
    assert.ok((await keys().endOf(key)) > Date.now() / 1_000)
    await go('Keys')
    await sheet().getByText(key).waitFor()
    await keys().press('Revoke the signing key', 'Cancel')
    assert.ok((await keys().endOf(key)) > Date.now() / 1_000)
    await keys().press('Revoke the signing key', 'Revoke key')
    await keys().hasNone()
    assert.equal(await keys().endOf(key), REVOKED_SECONDS)
  })

  test('no secret is ever left in URLs, in the console or in other stores', async () => {
    const words = secrets.flatMap(wordsOf)
    assert.equal(new Set(words).size, 7, 'two sessions of one wallet')
    for (const path of ['/register', '/orders', '/api-keys', '/ws'])
      assert.ok(
        traces.urls.some((url) => url.includes(path)),
        `${path} was asked`,
      )
    const { local, session, cookies, caches, href, name } = await readStores(page)
    const texts = [local, session, cookies, caches, href, name, await page.content()]
    assert.deepEqual(findSecrets(words, [...traces.urls, ...traces.said, ...texts]), [])
    assert.deepEqual(opened.faults, [])
  })

  test('sign-out leaves no key in the browser, even after a reload', async () => {
    const names = async () => (await readKept(page)).records.map(({ name }) => name.split(' ')[0])
    assert.deepEqual((await names()).sort(), ['account', 'place', 'sealing-key'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out and forget it' }).click()
    await page.locator('.badge').waitFor({ state: 'detached' })
    await go('Trade')
    for (const when of ['signed out', 'loaded again']) {
      if (when === 'loaded again') await page.reload()
      await page.getByRole('button', { name: 'Get test money' }).first().waitFor()
      // The venue's contracts may be stored again, which needs no key.
      assert.deepEqual(
        (await names()).filter((name) => name !== 'place'),
        [],
        when,
      )
      const { localNames, session } = await readStores(page)
      assert.deepEqual(localNames, ['openvenue.settings'], when)
      assert.equal(session, '{}', when)
    }
  })
})

/** Returns the parts of the form that are not fully visible on the screen. */
const unseenOf = (page: Page, parts: readonly string[]) =>
  page.locator('.order').evaluate((form, wanted) => {
    return wanted.filter((selector) => {
      const { left, right, top, bottom } =
        form.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const isWhole = top >= 0 && bottom <= innerHeight
      return !isWhole || found?.closest(selector) === null
    })
  }, parts)
