// The secondary pages in a real browser: faucet, keys, performance, sub-accounts, a viewed address,
// the list of markets, and pools.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseConfig } from '@openvenue/devnet/config'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { findBarriers } from './barriers.ts'
import { downloadText, type OpenPage, openPage, startBrowser } from './browser.ts'
import { seeFaucets, sortMarkets } from './offered-pages.ts'
import { startPageVenue } from './page-venue.ts'
import { chooseMarket, untilBook } from './shown-market.ts'
import { listStrangeMarket, openStrangePool, STRANGE, useStrangeMarket } from './strange-names.ts'
import { smallTargets } from './targets.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 120_000
/** Each page, with an element that has its own data. */
const OWN_ROWS = {
  markets: '.list tbody tr a',
  portfolio: '[aria-label="Results by day"] tbody tr',
  accounts: '.list tbody tr',
  keys: '.list tbody tr',
  look: 'input',
  status: '.judged-good',
  faucet: '.facts-list dd',
} as const
const OWN_PAGES = Object.keys(OWN_ROWS) as (keyof typeof OWN_ROWS)[]
const MIDDLE = 768
const WIDE = 1280
const WIDTHS = [360, MIDDLE, WIDE]
const HEIGHT = 900
/** Short enough that equity is recorded before a test needs it. */
const SNAPSHOT_SECONDS = '2'
const NOBODY = `0x${'ab'.repeat(20)}`

describe('the secondary pages', () => {
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let url = ''
  before(async () => {
    const { settings } = parseConfig({ EQUITY_SNAPSHOT_INTERVAL_S: SNAPSHOT_SECONDS })
    venue = await startPageVenue({ settings })
    url = venue.devnet.apiUrl
    browser = await startBrowser()
    opened = await openPage(browser, `${url}/?page=faucet`, { acceptDownloads: true })
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await venue?.remove()
  })

  const go = (page: Page, name: string) =>
    page.evaluate((to) => {
      const link = [...document.querySelectorAll<HTMLAnchorElement>('.page-links a')]
      link.find(({ href }) => new URL(href).searchParams.get('page') === to)?.click()
    }, name)
  const sheet = (page: Page) => page.locator('main.sheet')
  const press = (page: Page, name: string | RegExp) =>
    sheet(page).getByRole('button', { name }).first().click()
  const read = async (path: string, headers: Record<string, string>) =>
    (await fetch(`${url}${path}`, { headers })).status

  test('the secondary pages explain what is missing without an account', async () => {
    const { page } = opened
    for (const name of ['portfolio', 'accounts', 'keys']) {
      await go(page, name)
      await sheet(page).getByText('Connect a wallet and enable trading').waitFor()
    }
    await go(page, 'faucet')
  })

  test('one click on a secondary page gives test money and an account that can trade', async () => {
    const { page } = opened
    await sheet(page).getByText('native coin, for gas').waitFor()
    await press(page, 'Create a test wallet with money')
    await sheet(page).getByText('✓ Confirmed.').waitFor({ timeout: READY_MS_MAX })
    await go(page, 'portfolio')
    await sheet(page).getByText('Equity now').waitFor()
    await sheet(page)
      .getByText('No trades yet')
      .or(sheet(page).locator('.curve'))
      .or(sheet(page).getByText('No chart yet'))
      .first()
      .waitFor()
  })

  test('a created key shows its secret once, and works until it is revoked', async () => {
    const { page } = opened
    await go(page, 'keys')
    await sheet(page).getByText('This browser', { exact: true }).waitFor()
    await sheet(page).getByText('Create an API key').click()
    await sheet(page).getByLabel('Name').fill('a reader')
    await sheet(page)
      .getByLabel(/IP allowlist/)
      .fill('127.0.0.1, ::1, ::ffff:127.0.0.1')
    await press(page, 'Create API key')
    const secret = page.locator('.secret code')
    await secret.first().waitFor()
    const [key = '', text = ''] = await secret.allTextContents()
    const headers = { 'api-key': key, 'api-secret': text }
    assert.equal(await read('/account', headers), 200)
    const placed = await fetch(`${url}/orders`, { method: 'POST', headers })
    assert.ok(placed.status >= 400, 'it may read alone')
    await press(page, "I've saved it")
    assert.ok(!(await page.content()).includes(text), 'the secret is nowhere in the page')
    assert.ok(!(await storedText(page)).includes(text), 'nor in what is kept')
    await go(page, 'status')
    await go(page, 'keys')
    await press(page, /^Revoke a reader/)
    await page.locator('dialog[open]').getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await read('/account', headers), 200, 'it was asked about, and not done')
    await press(page, /^Revoke a reader/)
    await page.locator('dialog[open]').getByRole('button', { name: 'Revoke key' }).click()
    await sheet(page).getByText('API keys (1)').waitFor()
    assert.equal(await read('/account', headers), 401)
  })

  test('the keys page refuses a key with the rule and the message of the venue', async () => {
    const { page } = opened
    await sheet(page).getByText('Create an API key').click()
    await sheet(page).getByLabel('Name').fill('too wide')
    await sheet(page)
      .getByLabel(/IP allowlist/)
      .fill('10.0.0.0/99')
    await press(page, 'Create API key')
    await sheet(page)
      .getByRole('alert')
      .getByText(/ip_addresses|network/)
      .waitFor()
  })

  test('the portfolio page shows and exports the same performance as REST', async () => {
    const { page } = opened
    await trade(page)
    await go(page, 'portfolio')
    const tile = (name: string) =>
      sheet(page).locator('.tiles div', { hasText: name }).locator('dd').first()
    await sheet(page).getByRole('heading', { name: 'Day by day' }).waitFor()
    await press(page, 'today')
    await page.waitForFunction(
      () =>
        !/^[+-]?0\.00$/.test(
          [...document.querySelectorAll('.tiles div')]
            .find((one) => one.querySelector('dt')?.textContent === 'Fees')
            ?.querySelector('dd')?.textContent ?? '0.00',
        ),
    )
    const fees = (await tile('Fees').textContent()) ?? ''
    assert.match(fees, /^-\d+\.\d\d$/)
    const [row] = await sheet(page)
      .getByRole('region', { name: 'Results by day' })
      .locator('tbody tr')
      .all()
    const cells = (await row?.locator('td').allTextContents()) ?? []
    assert.equal(cells[3], fees, 'today is all of the period')
    const equity = sheet(page).locator('.curve path')
    while ((await equity.count()) === 0) {
      await press(page, 'Refresh')
      await sheet(page)
        .getByRole('button', { name: 'Refresh' })
        .and(page.locator(':enabled'))
        .waitFor()
    }
    assert.match((await equity.getAttribute('d')) ?? '', /^M0\.0 .*L640\.0 /, 'until now')
    const wait = page.waitForEvent('download')
    await press(page, 'Days as CSV')
    const file = (await downloadText(await wait)).split('\r\n')
    assert.match(file[0] ?? '', /^Day \(UTC\),Net PnL,Realized,Fees/)
    const [day = '', , , exact = ''] = (file[1] ?? '').split(',')
    assert.match(day, /^\d{4}-\d\d-\d\d$/)
    assert.ok(exact.startsWith(fees), `${exact} is not cut`)
  })

  test('the secondary pages report what could not be read, and retry on request', async () => {
    const { page } = opened
    for (const [name, part, shown] of [
      ['portfolio', '/account/stats', 'Equity now'],
      ['keys', '/account/cancellers', 'This browser'],
      ['accounts', new URL(venue.devnet.rpcUrl).host, 'Main'],
    ] as const) {
      const isMeant = ({ href }: URL) => href.includes(part)
      await go(page, 'status')
      await page.route(isMeant, (route) => route.abort())
      await go(page, name)
      const again = sheet(page).getByRole('button', { name: 'Refresh' })
      await again.waitFor()
      assert.match((await sheet(page).getByRole('alert').textContent()) ?? '', /\w+ \w+.*Refresh/)
      assert.equal(await sheet(page).getByText('Loading …').count(), 0, name)
      await again.click()
      await again.waitFor()
      await page.unroute(isMeant)
      await again.click()
      await sheet(page).getByText(shown, { exact: true }).first().waitFor()
      assert.equal(await sheet(page).getByRole('alert').count(), 0, name)
    }
  })

  test('a history table that could not be read is reported, and not shown empty', async () => {
    const { page } = opened
    const bottom = page.locator('.bottom')
    const isMeant = ({ pathname }: URL) => pathname === '/transaction-history'
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('.page-links a')?.click())
    await page.route(isMeant, (route) => route.abort())
    await bottom.locator('.tabs button', { hasText: 'transfers' }).click()
    await bottom.getByText("Couldn't load.").waitFor()
    await page.unroute(isMeant)
    await bottom.getByRole('button', { name: 'Refresh' }).click()
    await bottom.locator('tbody tr', { hasText: 'USDC' }).first().waitFor()
    assert.equal(await bottom.getByText("Couldn't load.").count(), 0)
  })

  test('a sub-account is opened, funded and traded for, and the page returns from it', async () => {
    const { page } = opened
    await go(page, 'accounts')
    await press(page, 'Open a sub-account')
    const sub = sheet(page).locator('tbody tr', { hasText: 'Sub 0' })
    await sub.waitFor({ timeout: READY_MS_MAX })
    await sheet(page).getByLabel('Amount, USDC').fill('1,000')
    await press(page, 'Transfer')
    await sub.getByText('1,000.00').waitFor({ timeout: READY_MS_MAX })
    await sub.getByRole('button', { name: 'Switch to Sub 0' }).click()
    await sub.getByText('Active').waitFor({ timeout: READY_MS_MAX })
    await page
      .locator('.badge')
      .getByText(/sub-account/)
      .waitFor()
    await go(page, 'portfolio')
    const equity = sheet(page).locator('.tiles div', { hasText: 'Equity now' })
    await equity.getByText('1,000.00').waitFor()
    await depositAsSub(page)
    await go(page, 'accounts')
    const main = sheet(page).locator('tbody tr', { hasText: 'Main' })
    await sub.getByText('1,000.00').waitFor()
    const inAll = Number((await main.locator('td').nth(2).textContent())?.replaceAll(',', ''))
    assert.ok(Math.abs(inAll - 49_250) < 50, `Main has the deposit: ${inAll}`)
    await press(page, 'Switch to Main')
    await sheet(page).locator('tbody tr', { hasText: 'Main' }).getByText('Active').waitFor()
    await sheet(page).getByLabel('Direction').selectOption('back')
    await press(page, 'All available')
    await press(page, 'Transfer')
    await sub.getByText('0.00', { exact: true }).waitFor({ timeout: READY_MS_MAX })
  })

  test('the address page shows an address of the chain, and reports an unknown one', async () => {
    const { page } = opened
    const own = await page.locator('.badge [title^="0x"]').getAttribute('title')
    const other = await openPage(browser, `${url}/?account=${own}`)
    await sheet(other.page).getByText('View only').waitFor()
    await sheet(other.page).getByText('Positions (1)').waitFor()
    await sheet(other.page).getByText('ETH-PERP').first().waitFor()
    const buttons = await sheet(other.page).getByRole('button').allTextContents()
    const others = buttons.filter((name) => name !== 'Export')
    assert.deepEqual(others, ['View'], 'nothing here signs')
    await sheet(other.page)
      .getByLabel(/^Address/)
      .fill(NOBODY)
    await press(other.page, /^View$/)
    await sheet(other.page).getByText('No account of this address').waitFor()
    assert.ok(other.page.url().includes(`account=${NOBODY}`))
    await sheet(other.page)
      .getByLabel(/^Address/)
      .fill('vitalik.eth')
    await press(other.page, /^View$/)
    await sheet(other.page).getByRole('alert').getByText('40 hex digits').waitFor()
    assert.deepEqual(other.faults, [])
    await other.close()
  })

  test('the markets page finds markets by name, with a daily line for visible ones', async () => {
    const { page } = opened
    await go(page, 'markets')
    await page.locator('.spark path[d^="M"]').first().waitFor()
    await sheet(page).getByPlaceholder('Find').fill('eth-perp')
    await page.waitForFunction(() => document.querySelectorAll('.list tbody a').length === 1)
  })

  test('the markets page sorts by each column in either direction, by values of REST', async () => {
    await sortMarkets(opened.page, url)
  })

  test('markup in the names of a token and a market is shown as text, in the layout', async () => {
    const { page, faults } = opened
    const own = (await page.locator('.badge [title^="0x"]').getAttribute('title')) ?? ''
    await listStrangeMarket(venue.devnet, own)
    await go(page, 'markets')
    await sheet(page).getByPlaceholder('Find').fill(STRANGE.market)
    const link = sheet(page).locator('.list tbody a')
    await link.filter({ hasText: STRANGE.market }).waitFor()
    assert.equal(await link.textContent(), STRANGE.market)
    await link.click()
    await useStrangeMarket(page)
    assert.deepEqual(faults, [])
  })

  test('tokens of pools are shown as text that cannot affect other text', async () => {
    await openStrangePool(venue.devnet, browser)
  })

  test('the page links to the faucet of a test network, and to none on a mainnet', async () => {
    await seeFaucets(browser, url)
  })

  for (const colorScheme of ['dark', 'light'] as const)
    test(`the secondary pages pass axe and fit every width, ${colorScheme}`, async () => {
      const { page } = opened
      await page.emulateMedia({ colorScheme })
      for (const name of OWN_PAGES) {
        await page.setViewportSize({ width: WIDE, height: HEIGHT })
        await go(page, name)
        await sheet(page).locator(OWN_ROWS[name]).first().waitFor()
        await page.waitForFunction(
          () => !/(Reading|Loading) …/.test(document.body.textContent ?? ''),
        )
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth)
          assert.ok(wide <= width, `${name}: ${wide} px of ${width}`)
          assert.deepEqual(await smallTargets(page), [], `${name} at ${width} px`)
          if (width !== MIDDLE)
            assert.deepEqual(await findBarriers(page), [], `${name} at ${width} px`)
        }
      }
      await page.setViewportSize({ width: WIDE, height: HEIGHT })
    })
})

/**
 * Deposits 250 while a sub-account is selected: the page shows whose money moves and whose balance
 * is available.
 */
async function depositAsSub(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('.page-links a')?.click())
  const account = page.locator('.account')
  await account.getByText('Deposit or withdraw').click()
  await account.getByText('Deposits and withdrawals use Main').waitFor()
  await account.getByRole('button', { name: /Withdrawable, .*: use 4\d,\d{3}/ }).waitFor()
  await account.getByLabel('Amount').fill('250')
  await account.getByRole('button', { name: 'Deposit to Main' }).click()
  await account
    .locator('.steps li')
    .filter({ hasText: 'Deposit 250 USDC' })
    .filter({ hasText: '✓' })
    .waitFor({ timeout: READY_MS_MAX })
}

/** Sells a little at the market, on the trading page. */
async function trade(page: Page): Promise<void> {
  await page.evaluate(() => {
    const link = document.querySelector<HTMLAnchorElement>('.page-links a')
    link?.click()
  })
  await untilBook(page)
  await chooseMarket(page, 'ETH-PERP')
  await page.waitForFunction(() => document.title.includes('ETH-PERP'))
  const form = page.locator('.order')
  await form.getByRole('button', { name: 'Market', exact: true }).click()
  await form.getByLabel(/^Size/).fill('0.1')
  await page.locator('.place:enabled').click()
  await page
    .locator('.order-news p', { hasText: /^Filled|Filled:/ })
    .first()
    .waitFor()
}

/** Returns all data that the page stores, as text. */
const storedText = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of db.objectStoreNames) {
        const all = db.transaction(store).objectStore(store).getAll()
        await new Promise((resolve) => {
          all.onsuccess = resolve
        })
        for (const one of all.result as { bytes?: ArrayBuffer }[])
          if (one.bytes !== undefined) texts.push(new TextDecoder().decode(one.bytes))
      }
      db.close()
    }
    return texts.join()
  })
