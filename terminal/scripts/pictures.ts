// Takes the pictures of docs/pictures: npx node terminal/scripts/pictures.ts. Each main view of the
// page, on a devnet of its own, as somebody with a test wallet sees it a minute after the start.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startVenue } from '@openvenue/e2e/venue'
import type { Page } from 'playwright-core'
import { openPage, startBrowser } from '../test/browser.ts'
import { untilBook } from '../test/shown-market.ts'

const FOLDER = join(import.meta.dirname, '../../docs/pictures')
const PATIENCE_MS = 120_000
/** Tables of the past are drawn some blocks after the fill. */
const SETTLED_MS = 6000
const WIDE = { width: 1280, height: 800 }
const SIZES = {
  'trade-360': { width: 360, height: 740 },
  'trade-768': { width: 768, height: 1024 },
  trade: WIDE,
  'trade-1920': { width: 1920, height: 1080 },
}
/** Other pages, by the word of their link. */
const PAGES = ['Markets', 'Portfolio', 'Keys', 'Faucet', 'Status']

await takePictures()

async function takePictures(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const venue = await startVenue()
  const browser = await startBrowser()
  try {
    const url = `${venue.devnet.apiUrl}/?market=ETH-PERP`
    const { page } = await openPage(browser, url, { viewport: WIDE, colorScheme: 'dark' })
    page.setDefaultTimeout(PATIENCE_MS)
    await trade(page)
    for (const [name, size] of Object.entries(SIZES)) await takeAt(page, name, size)
    await page.setViewportSize(WIDE)
    for (const name of PAGES) await takePage(page, name)
    await page.getByRole('link', { name: 'Trade', exact: true }).click()
    await page.emulateMedia({ colorScheme: 'light' })
    await takeAt(page, 'trade-light', WIDE)
  } finally {
    await browser.close()
    await venue.remove()
  }
}

/** Gets test money, buys at once, and leaves two orders in the book and a stop. */
async function trade(page: Page): Promise<void> {
  await untilBook(page)
  const order = page.locator('.order')
  await page.getByRole('button', { name: 'Get test money' }).first().click()
  await page.locator('.place:enabled').waitFor()
  const place = async (amount: string) => {
    await order.getByLabel(/^Amount/).fill(amount)
    await order.locator('.order-preview').waitFor()
    await page.locator('.place:enabled').click()
    await page.waitForTimeout(SETTLED_MS)
  }
  for (const [row, amount] of [
    [3, '0.75'],
    [6, '1.5'],
  ] as const) {
    await page.locator('.bids tr').nth(row).click()
    await place(amount)
  }
  await order.getByRole('button', { name: 'Market', exact: true }).click()
  await place('2')
  await order.getByRole('button', { name: 'Limit', exact: true }).click()
  await page.locator('.asks tr').nth(4).click()
  await order.getByLabel(/^Amount/).fill('1')
}

async function takeAt(page: Page, name: string, size: typeof WIDE): Promise<void> {
  await page.setViewportSize(size)
  await page.waitForTimeout(SETTLED_MS)
  await take(page, name)
}

async function takePage(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.waitForTimeout(SETTLED_MS)
  await take(page, name.toLowerCase())
}

/** The widest has too many pixels for a picture without loss. */
async function take(page: Page, name: string): Promise<void> {
  const isWide = name === 'trade-1920'
  const file = `${name}.${isWide ? 'jpg' : 'png'}`
  await page.screenshot({ path: join(FOLDER, file), ...(isWide && { type: 'jpeg', quality: 80 }) })
  process.stdout.write(`docs/pictures/${file}\n`)
}
