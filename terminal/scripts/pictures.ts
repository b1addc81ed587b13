// Takes the pictures of docs/pictures: npx node terminal/scripts/pictures.ts. Shows each main view
// of the page on a separate devnet, with a test wallet, a minute after the start. Unusual states
// are pictured by `states.browser.ts`.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@openvenue/devnet/anvil'
import { parseConfig } from '@openvenue/devnet/config'
import { startVenue } from '@openvenue/e2e/venue'
import type { Page } from 'playwright-core'
import { openPage, startBrowser } from '../test/browser.ts'
import { goTo, untilBook } from '../test/shown-market.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const PATIENCE_MS = 120_000
/** Short enough that the equity curve has several points. */
const SNAPSHOT_SECONDS = '2'
const WIDE = { width: 1280, height: 800 }
const SIZES = {
  'trade-360': { width: 360, height: 740 },
  'trade-768': { width: 768, height: 1024 },
  trade: WIDE,
  'trade-1920': { width: 1920, height: 1080 },
}
/** Other pages by the text of their link, with an element that appears once each is loaded. */
const PAGES = {
  Markets: '.spark path[d^="M"]',
  Portfolio: 'main.sheet .tiles dd',
  'Sub-accounts': 'main.sheet tbody tr',
  Pools: 'main.sheet tbody tr',
  Keys: 'main.sheet tbody tr',
  Faucet: 'main.sheet button:enabled',
  Status: 'main.sheet dd',
}

await takePictures()

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  // The page shows pools only if it knows the second host at its start.
  const integratedPort = await freePort()
  const publicIntegratedUrl = `http://127.0.0.1:${integratedPort}`
  const { settings } = parseConfig({ EQUITY_SNAPSHOT_INTERVAL_S: SNAPSHOT_SECONDS })
  const venue = await startVenue({ integratedPort, publicIntegratedUrl, settings })
  const browser = await startBrowser()
  try {
    const url = `${venue.devnet.apiUrl}/?market=ETH-PERP`
    const { page } = await openPage(browser, url, { viewport: WIDE, colorScheme: 'dark' })
    page.setDefaultTimeout(PATIENCE_MS)
    await trade(page)
    // The 1-minute chart has enough candles for a picture.
    await page.locator('.chart').getByRole('button', { name: '1m', exact: true }).click()
    // Waits until order news no longer covers anything.
    await page.locator('.order-news p').first().waitFor({ state: 'detached' })
    for (const [name, size] of Object.entries(SIZES)) await takeAt(page, name, size)
    await page.setViewportSize(WIDE)
    for (const [name, sign] of Object.entries(PAGES)) await takePage(page, name, sign)
    await lookAt(page)
    await goTo(page, 'Trade')
    await page.emulateMedia({ colorScheme: 'light' })
    await takeAt(page, 'trade-light', WIDE)
  } finally {
    await browser.close()
    await venue.remove()
  }
}

/** Gets test money, leaves two orders in the book, and buys at the market. */
async function trade(page: Page): Promise<void> {
  await untilBook(page)
  const order = page.locator('.order')
  const news = (text: RegExp) => page.locator('.order-news p', { hasText: text }).first().waitFor()
  await page.getByRole('button', { name: 'Get test money' }).first().click()
  await page.locator('.place:enabled').waitFor()
  const place = async (amount: string) => {
    await order.getByLabel(/^Size/).fill(amount)
    await order.locator('.order-preview').waitFor()
    await page.locator('.place:enabled').click()
  }
  for (const [row, amount] of [
    [8, '0.75'],
    [10, '1.5'],
  ] as const) {
    await page.locator('.bids tr').nth(row).click()
    await place(amount)
    await news(new RegExp(`Open: buy ${amount}`))
  }
  await order.getByRole('button', { name: 'Market', exact: true }).click()
  await place('2')
  await news(/Filled: buy 2 ETH-PERP/)
  // The account includes the fill once it is in a block.
  await page.locator('.account .pairs', { hasNotText: /Initial margin0\.00/ }).waitFor()
  await order.getByRole('button', { name: 'Limit', exact: true }).click()
  await page.locator('.asks tr').nth(4).click()
  await order.getByLabel(/^Size/).fill('1')
  await order.locator('.order-preview').waitFor()
}

async function takeAt(page: Page, name: string, size: typeof WIDE): Promise<void> {
  await page.setViewportSize(size)
  await page.locator('.chart canvas').first().waitFor()
  // Undoes scrolling caused by typing on a smaller screen.
  await page.locator('.view-account').evaluate((view) => view.scrollTo(0, 0))
  await take(page, name)
}

async function takePage(page: Page, name: string, sign: string): Promise<void> {
  await goTo(page, name)
  await page.locator(sign).first().waitFor()
  if (name === 'Portfolio') await untilLine(page)
  await page.waitForFunction(() => !/Reading …/.test(document.body.textContent ?? ''))
  await take(page, name.toLowerCase())
}

/** Reloads the portfolio until the equity curve is no longer flat. */
async function untilLine(page: Page): Promise<void> {
  const again = page.getByRole('button', { name: 'Refresh' }).and(page.locator(':enabled'))
  const ends = page.locator('.curve-high, .curve-low')
  while (new Set(await ends.allTextContents()).size < 2) await again.click()
}

/** Views the wallet's own address, as read from the chain. */
async function lookAt(page: Page): Promise<void> {
  const own = await page.locator('.badge [title^="0x"]').getAttribute('title')
  await goTo(page, 'View address')
  const sheet = page.locator('main.sheet')
  await sheet.getByLabel(/^Address/).fill(own ?? '')
  await sheet.getByRole('button', { name: 'View', exact: true }).click()
  await sheet.getByText('Positions (1)').waitFor()
  await take(page, 'view-address')
}

/** The widest picture has too many pixels for lossless compression. */
async function take(page: Page, name: string): Promise<void> {
  const isWide = name === 'trade-1920'
  const file = `${name}.${isWide ? 'jpg' : 'png'}`
  await page.screenshot({ path: join(FOLDER, file), ...(isWide && { type: 'jpeg', quality: 80 }) })
  process.stdout.write(`docs/pictures/${file}\n`)
}
