// The chart and the book in a real browser: candles match REST after any gap, an order is dragged
// to another price and edited by a button, and the size ahead of it is shown.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import { fromSteps, Rest, type shapes } from 'openvenue'
import type { Browser, Page } from 'playwright-core'
import { RESOLUTIONS } from '../src/features/chart/chart-protocol.ts'
import { type OpenPage, openPage, PATIENCE_MS, startOwnBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { colorOf, countPixels } from './drawn.ts'
import { readSecrets } from './kept-secrets.ts'
import { untilBlocks, untilRight } from './polling.ts'
import { holdTraders, sellAt } from './quiet-market.ts'
import { untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 90_000
const MARKET = 'ETH-PERP'
/** Raw units of a price step of 0.01. */
const QUOTE_PER_TICK = 10n ** 16n
const TASK_MS_MAX = 50
/** Minimum length of a line across the chart; fewer pixels may have its colour by chance. */
const LINE_PIXELS_MIN = 30
const SIZE = { width: 1280, height: 900 }
/** Upwards, away from the end of the chart, and so little that the order does not fill. */
const DRAG_PX = -20

describe('the chart and the book', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    // A trace contains the tasks of every page of its browser.
    browser = await startOwnBrowser()
    const url = `${venue.devnet.apiUrl}/?market=${MARKET}`
    opened = await openPage(browser, url, { viewport: SIZE })
    await untilBook(opened.page)
    await opened.page.waitForSelector('.drawing canvas')
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const chart = () => opened.page.locator('.chart')
  const press = (name: string) => chart().getByRole('button', { name, exact: true }).click()

  test('the chart shows candles of each interval, with the newest of REST in words', async () => {
    const { page } = opened
    const select = chart().getByLabel('All candle intervals')
    const names = await select.locator('option').allTextContents()
    assert.equal(names.length, 15)
    assert.equal(RESOLUTIONS.length, names.length)
    for (const [at, resolution] of RESOLUTIONS.entries()) {
      // With a short history the longest intervals look the same, so each must be requested.
      const asked = page.waitForRequest(
        (request) => askedOf(request.url()).get('resolution') === resolution,
      )
      await select.selectOption(names[at] ?? '')
      await asked
      await untilNewest(page, venue.devnet.apiUrl, resolution)
    }
    await press('1m')
    await untilNewest(page, venue.devnet.apiUrl)
  })

  test('the chart draws the lines of mark and index while they are chosen', async () => {
    const { page } = opened
    for (const name of ['mark', 'index'] as const) {
      const color = await page.evaluate(colorOf, name)
      const drawn = () => page.evaluate(countPixels, color)
      assert.equal(await drawn(), 0, name)
      await press(name)
      await untilRight('the line is drawn', drawn, (pixels) => pixels > LINE_PIXELS_MIN)
      await press(name)
      await untilRight('the line is gone', drawn, (pixels) => pixels === 0)
    }
  })

  test('the chart shows lines of mark and index, the depth and the hours of funding', async () => {
    await press('mark')
    await press('index')
    await press('depth')
    await chart()
      .getByText(/^bids to [\d,.]+: [\d,.]+ · asks to/)
      .waitFor()
    await press('all')
    await press('funding')
    const { apiUrl } = venue.devnet
    const answer = await fetch(`${apiUrl}/funding-history?instrument_name=${MARKET}&limit=500`)
    const { funding_history } = (await answer.json()) as { funding_history: readonly unknown[] }
    const rows = chart().locator('.funding-hours tbody tr')
    await opened.page.waitForFunction(
      (count) => document.querySelectorAll('.funding-hours tbody tr').length >= count,
      funding_history.length,
    )
    assert.ok((await rows.count()) >= funding_history.length)
    await press('price')
    await chart().locator('.legend dd').first().waitFor()
  })

  test('the chart shows every candle that closed while updates were paused', async () => {
    const { page } = opened
    await page.getByRole('button', { name: /pause updates/i }).click()
    const frozen = await page.locator('.trades tbody').textContent()
    await untilBlocks(venue.devnet.apiUrl, 5)
    assert.equal(await page.locator('.trades tbody').textContent(), frozen)
    await page.getByRole('button', { name: /pause updates/i }).click()
    await untilNewest(page, venue.devnet.apiUrl)
  })

  test('the chart is dragged without a task that delays clicks', async (t) => {
    const { page } = opened
    const box = await chart().locator('.drawing-frame').boundingBox()
    assert.ok(box)
    const [x, y] = [box.x + 300, box.y + 200]
    const tasks = await tasksMs(browser, page, async () => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let step = 0; step < 60; step++) await page.mouse.move(x + step * 4, y + (step % 7))
      await page.mouse.up()
    })
    const longest = Math.max(...tasks)
    t.diagnostic(`the longest of ${tasks.length} tasks took ${longest} ms of the processor`)
    assert.ok(tasks.length > 60, `${tasks.length} tasks`)
    assert.ok(longest < TASK_MS_MAX, `${longest} ms`)
    await page.getByRole('button', { name: 'To the latest candle' }).click()
  })

  test("the book marks the user's own order, with the size ahead of it", async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    // The order cannot fill from now on, wherever it is dragged.
    await holdTraders(venue, true)
    // Hourly candles cover more prices, so the order is on the chart.
    await press('1h')
    const row = page.locator('.bids tr').nth(8)
    await row.click()
    await page.locator('.order').getByLabel(/^Size/).fill('0.3')
    await page.locator('.order').getByLabel(/^Size/).press('Enter')
    const ahead = page.locator('.bids tr.mine .ahead')
    await ahead.waitFor()
    assert.match((await ahead.textContent()) ?? '', /^(first|≤\d+\.\d{4})$/)
    await page.locator('.handle').waitFor()
  })

  test('an order on the chart stays unchanged if Escape cancels its drag', async () => {
    const { page } = opened
    const before = await handleWords(page)
    await dragHandle(page, DRAG_PX, async () => {
      await page.locator('.handle[data-dragged="true"]').waitFor()
      await page.keyboard.press('Escape')
    })
    assert.equal(await page.locator('dialog[open]').count(), 0)
    assert.equal(await handleWords(page), before)
  })

  test('an order dropped on the chart is replaced by one signature, once confirmed', async () => {
    const { page } = opened
    const before = await handleWords(page)
    await dragHandle(page, DRAG_PX, async () => {})
    const dialog = page.locator('dialog[open]')
    await dialog.getByText(/^Buy 0.3 ETH-PERP for up to/).waitFor()
    const price = await dialog.getByLabel('Price').inputValue()
    assert.match(price, /^\d+(\.\d{1,2})?$/, 'it is on a step')
    await dialog.getByRole('button', { name: 'Modify order' }).click()
    const news = page.locator('.order-news p')
    await news
      .filter({ hasText: /Submitted: buy 0.3 ETH-PERP at .* instead of/ })
      .first()
      .waitFor()
    await untilReplaced(page, before)
    assert.equal(await page.locator('.handle').count(), 1, 'the old one is gone')
  })

  test('an order is edited by a button and the keyboard, with offers of legal values', async () => {
    const { page } = opened
    await page
      .locator('.tabs')
      .getByRole('button', { name: /orders/i })
      .click()
    await page.getByRole('button', { name: /^Edit ETH-PERP/ }).press('Enter')
    const dialog = page.locator('dialog[open]')
    const amount = dialog.getByLabel('Size')
    await amount.fill('0.20005')
    await dialog.getByRole('button', { name: 'use 0.2001' }).press('Enter')
    await dialog.getByText(/^Buy 0.2001 ETH-PERP/).waitFor()
    await amount.press('Enter')
    await page.getByRole('button', { name: /^edit buy 0.2001 at/ }).waitFor()
  })

  test('a partially filled order keeps its total if only its price is edited', async () => {
    const { page } = opened
    const edit = page.getByRole('button', { name: /^Edit ETH-PERP/ })
    const dialog = page.locator('dialog[open]')
    const replace = async (change: Readonly<{ price: string; amount?: string }>) => {
      await edit.press('Enter')
      await dialog.getByLabel('Price').fill(change.price)
      if (change.amount !== undefined) await dialog.getByLabel('Size').fill(change.amount)
      await dialog.getByRole('button', { name: 'Modify order' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const [best, next] = await bestBids(venue.devnet.apiUrl)
    await replace({ price: best, amount: '1' })
    await untilOrder(
      page,
      venue,
      ({ price, order_status }) => price === best && order_status === 'opened',
    )
    await sellAt(venue, { price: best, amount: '0.3' })
    const partly = await untilOrder(page, venue, ({ filled }) => filled === '0.3')
    assert.deepEqual([partly.amount, partly.remaining], ['1', '0.7'])
    await page.locator('.rows tbody tr', { hasText: /0\.3/ }).waitFor()
    await edit.press('Enter')
    assert.equal(await dialog.getByLabel('Size').inputValue(), '1')
    await dialog.getByLabel('Price').fill(next)
    await dialog.getByText(/0\.3 already filled: 0\.7 left/).waitFor()
    await dialog.getByLabel('Size').fill('0.3')
    await dialog.getByRole('button', { name: 'use 0.3001' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const before = await handleWords(page)
    await replace({ price: next })
    const edited = await untilOrder(
      ...([page, venue] as const),
      ({ price, order_status }) => price === next && order_status === 'opened',
    )
    assert.deepEqual([edited.remaining, edited.filled], ['0.7', '0'])
    await untilReplaced(page, before)
  })

  test('the edit dialog reports that the order has ended meanwhile', async () => {
    const { page, faults } = opened
    await page.locator('.handle button').press('Enter')
    const dialog = page.locator('dialog[open]')
    await dialog.getByLabel('Size').fill('0.1')
    await dialog.getByText(/^Buy 0.1 ETH-PERP/).waitFor()
    await cancelBeside(page)
    await dialog.getByRole('button', { name: 'Modify order' }).click()
    await dialog.getByText(/The order is already cancelled: not modified/).waitFor()
    assert.deepEqual(faults, [])
  })
})

/** Returns a price above all bids of the venue, and one below it. */
async function bestBids(apiUrl: string): Promise<readonly [best: string, next: string]> {
  const { bids } = await new Rest({ url: apiUrl }).call('GET /orderbook', {
    query: { instrument_name: MARKET },
  })
  const best = BigInt(bids[0]?.price ?? '0') / QUOTE_PER_TICK
  return [fromSteps(best + 1n, '0.01'), fromSteps(best, '0.01')]
}

/** Waits until the only open order of the page's account is as expected, and returns it. */
async function untilOrder(
  page: Page,
  { devnet }: TestVenue,
  isRight: (order: shapes.Order) => boolean,
): Promise<shapes.Order> {
  const { apiKey } = await readSecrets(page)
  const rest = new Rest({ url: devnet.apiUrl, apiKey })
  const read = async () => (await rest.call('GET /open-orders')).orders
  const orders = await untilRight(
    'the order is right',
    read,
    ([order, ...others]) => order !== undefined && others.length === 0 && isRight(order),
  )
  return orders[0] as shapes.Order
}

/** Returns the label of the only order on the chart. */
const handleWords = (page: Page) => page.locator('.handle button').getAttribute('aria-label')

/** Waits until the chart shows the order that replaced another, whose label is given. */
async function untilReplaced(page: Page, before: string | null): Promise<void> {
  await page.waitForFunction(
    (words) => {
      const button = document.querySelector('.handle button')
      const now = button?.getAttribute('aria-label') ?? ''
      return now !== '' && now !== words && !now.includes('pending')
    },
    before,
    { timeout: PATIENCE_MS },
  )
}

async function dragHandle(page: Page, by: number, meanwhile: () => Promise<void>): Promise<void> {
  const box = await page.locator('.handle button').boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + by / 2)
  await page.mouse.move(x, y + by)
  await meanwhile()
  await page.mouse.up()
}

/** Clicks through the open dialog, like another window of the account. */
async function cancelBeside(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const cancel = document.querySelector<HTMLButtonElement>('.rows [aria-label^="cancel"]')
    cancel?.click()
    return cancel !== null
  })
  await page.waitForFunction(() => document.querySelector('.handle') === null)
}

type Candle = Readonly<{ time: number; open: string; high: string; low: string; close: string }>

const askedOf = (url: string) => new URL(url).searchParams

async function candlesOf(apiUrl: string, query: string): Promise<readonly Candle[]> {
  const answer = await fetch(`${apiUrl}/candles?instrument_name=${MARKET}&${query}`)
  return (await answer.json()) as readonly Candle[]
}

const numbersOf = ({ open, high, low, close }: Candle): readonly number[] =>
  [open, high, low, close].map(Number)

/** Returns the prices in the text above the chart. */
async function legendOf(page: Page): Promise<readonly number[]> {
  const words = await page.locator('.legend dd').allTextContents()
  return words.slice(0, 4).map((text) => Number(text.replaceAll(',', '')))
}

/** Waits until the text above the chart shows the newest candle of REST. */
async function untilNewest(page: Page, apiUrl: string, resolution = '1'): Promise<void> {
  const compare = async () => {
    const [newest] = await candlesOf(apiUrl, `resolution=${resolution}&countback=1`)
    return { shown: await legendOf(page), asked: newest === undefined ? [] : numbersOf(newest) }
  }
  const isSame = ({ shown, asked }: Awaited<ReturnType<typeof compare>>) =>
    asked.length > 0 && shown.join() === asked.join()
  await untilRight('the words are those of the newest candle', compare, isSame)
}

type TraceEvent = Readonly<{ name: string; tid: number; tdur?: number; args?: { name?: string } }>

/**
 * Returns the processor time of each task of the page's main thread while `work` ran. Unlike
 * elapsed time, it excludes other programs of the machine.
 */
async function tasksMs(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const categories = ['disabled-by-default-devtools.timeline', '__metadata']
  await browser.startTracing(page, { categories })
  await work()
  const trace = JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }
  const isMain = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args?.name === 'CrRendererMain'
  const threads = new Set(trace.traceEvents.filter(isMain).map(({ tid }) => tid))
  return trace.traceEvents
    .filter(({ name, tid }) => name === 'RunTask' && threads.has(tid))
    .map(({ tdur = 0 }) => tdur / 1_000)
}
