// The book in a real browser: its rows match REST in every grouping, and are used with the
// keyboard; a book with a wrong checksum is never shown.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type AlteringProxy, startAlteringProxy } from '@openvenue/e2e/altering-proxy'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilBlocks, untilRight } from './polling.ts'
import { holdTraders } from './quiet-market.ts'
import { readBook, readBoth, untilBook } from './shown-market.ts'

const MARKET = 'ETH-PERP'
/** Has room for twenty rows a side. */
const TALL = { width: 1920, height: 1200 }
const ROWS = 20
/** Raw units per price step and per amount step of ETH-PERP. */
const STEPS = { price: 10n ** 16n, amount: 10n ** 14n }
const GROUPS = { '0.01': 1n, '0.1': 10n, '1': 100n, '10': 1_000n }
/** An amount larger than any real order. */
const WRONG = '777777.7777'
const WRONG_SHOWN = '777,777'
const WRONG_BLOCKS = 8
const BAR_SPARE_PX = 3

describe('the book', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let proxy: AlteringProxy
  let browser: Browser
  let opened: OpenPage
  let page: Page
  before(async () => {
    venue = await use.start()
    proxy = await startAlteringProxy(venue.devnet.apiUrl)
    browser = await startBrowser()
    opened = await openPage(browser, `${proxy.url}/?market=${MARKET}`, { viewport: TALL })
    page = opened.page
    await untilBook(page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    proxy?.stop()
    await use.end()
  })

  const trust = (text: RegExp) => page.locator('.trust').filter({ hasText: text }).waitFor()

  test('the title of the tab has the mark of REST', async () => {
    const compare = async () => {
      const answer = await fetch(`${venue.devnet.apiUrl}/markets/${MARKET}`)
      const { mark_price: mark } = (await answer.json()) as { mark_price: string }
      const [, text = '', name] = /^([\d,.]+) (\S+) · openvenue$/.exec(await page.title()) ?? []
      return { shown: text.replaceAll(',', ''), mark, name }
    }
    const { name, shown } = await untilRight(
      'the page shows the mark of REST',
      compare,
      ({ shown, mark }) => shown.includes('.') && mark.startsWith(shown),
    )
    assert.equal(name, MARKET)
    assert.match(shown, /^\d+\.\d{2}$/, 'cut to the steps of the market')
  })

  test('a book with a wrong checksum is neither shown nor called exact', async () => {
    await page.evaluate(watchBook, WRONG_SHOWN)
    let altered = 0
    proxy.alter((message) => {
      const wrong = spoil(message)
      if (wrong !== message) altered++
      return wrong
    })
    await trust(/catching up/)
    const { numbers } = await readBook(page)
    await page.evaluate(() => {
      ;(globalThis as unknown as BookWindow).isWrong = true
    })
    await untilBlocks(venue.devnet.apiUrl, WRONG_BLOCKS)
    // A redraw uses the last correct book.
    await page.locator('.book select').selectOption('0.1')
    await page.locator('.book select').selectOption('0.01')
    await page.locator('.shell.stale').waitFor()
    await page
      .locator('.order')
      .getByText(/Prices may be outdated/)
      .waitFor()
    assert.deepEqual((await readBook(page)).numbers, numbers, 'the last that was right stays')
    const seen = await page.evaluate(() => {
      const { seenWrong, seenExact } = globalThis as unknown as BookWindow
      return [seenWrong, seenExact]
    })
    assert.ok(altered > 1, `${altered} messages were wrong, each after another snapshot`)
    assert.deepEqual(seen, [0, 0])
    proxy.alter(undefined)
    await trust(/exact/)
    const { shown, asked } = await readBoth(page, venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
    assert.equal(await page.evaluate(() => (globalThis as unknown as BookWindow).seenWrong), 0)
  })

  test('a book is never shown if it is wrong from the first message on', async () => {
    const wrong = await startAlteringProxy(venue.devnet.apiUrl)
    wrong.alter(spoil)
    const other = await openPage(browser, `${wrong.url}/?market=${MARKET}`)
    await other.page.waitForFunction(() =>
      /\d/.test(document.querySelector('.facts')?.textContent ?? ''),
    )
    await untilBlocks(venue.devnet.apiUrl, WRONG_BLOCKS)
    assert.equal(await other.page.locator('.bids tr:not(.vacant)').count(), 0)
    assert.doesNotMatch((await other.page.locator('.trust').textContent()) ?? '', /exact/)
    wrong.alter(undefined)
    await untilBook(other.page)
    await other.page.locator('.trust', { hasText: /exact/ }).waitFor()
    await other.close()
    wrong.stop()
  })

  test('the book shows twenty rows a side if the window has room', async () => {
    await holdTraders(venue, true)
    for (const side of ['asks', 'bids']) {
      // There may be fewer levels, and rows without a level have no height.
      const { room, levels, seen } = await page.locator(`.${side}`).evaluate((body) => {
        const { top, bottom, height } = body.getBoundingClientRect()
        const rows = [...body.querySelectorAll('tr:not(.vacant)')].map((row) =>
          row.getBoundingClientRect(),
        )
        const isSeen = (row: DOMRect) =>
          row.top >= top - 1 && row.bottom <= Math.min(bottom, innerHeight) + 1
        return {
          room: Math.floor(height / (rows[0]?.height ?? 0)),
          levels: rows.length,
          seen: rows.filter(isSeen).length,
        }
      })
      assert.ok(room >= ROWS, `${side}: room for ${room}`)
      assert.ok(levels >= 15, `${side}: ${levels} levels`)
      assert.equal(seen, levels, side)
    }
  })

  test('the book is grouped as chosen, and each row is the sum of the levels of REST', async () => {
    const answer = await fetch(`${venue.devnet.apiUrl}/orderbook?instrument_name=${MARKET}`)
    const book = (await answer.json()) as RestBook
    const shown = new Set<string>()
    for (const [name, group] of Object.entries(GROUPS)) {
      await page.locator('.book select').selectOption(name)
      for (const side of ['bids', 'asks'] as const) {
        const wanted = groupLevels(book[side], group, side === 'bids')
        await untilRight(
          'the page shows the grouped rows',
          () => rowsOf(page, side),
          (rows) => JSON.stringify(rows) === JSON.stringify(wanted),
        )
        shown.add(JSON.stringify(wanted))
      }
    }
    assert.equal(shown.size, 8, 'each choice changes both sides')
    await page.locator('.book select').selectOption('0.01')
  })

  test('each book row has a bar whose length is its share of the depth', async () => {
    for (const side of ['asks', 'bids'] as const) {
      const bars = await page.evaluate(measureBars, side)
      assert.ok(bars.length >= 15)
      for (const { wanted, drawn } of bars)
        assert.ok(Math.abs(wanted - drawn) <= BAR_SPARE_PX, `${side}: ${drawn} px of ${wanted}`)
      assert.ok((bars.at(-1)?.drawn ?? 0) > (bars[0]?.drawn ?? 0), 'they grow with the depth')
    }
  })

  test('arrow keys move through the book, and Enter takes the price of a row', async () => {
    const price = page.locator('.order').getByLabel(/^Price/)
    const priceAt = (side: string, at: number) =>
      page.locator(`.${side} tr`).nth(at).locator('.price').textContent()
    const { keyboard } = page
    await page.locator('.bids tr').first().focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'])
      await keyboard.press(key)
    assert.equal(await price.inputValue(), (await priceAt('bids', 2))?.trim())
    // Asks are drawn from the bottom up, so up moves away from the best.
    await page.locator('.asks tr').first().focus()
    for (const key of ['ArrowUp', 'Enter']) await keyboard.press(key)
    assert.equal(await price.inputValue(), (await priceAt('asks', 1))?.trim())
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    assert.equal(await price.inputValue(), (await priceAt('asks', 0))?.trim(), 'and no further')
    const reached = await page.locator('.book tr[tabindex="0"]').count()
    assert.equal(reached, 2, 'Tab stops once at each side')
    assert.deepEqual(opened.faults, [])
  })
})

type RestLevel = Readonly<{ price: string; amount: string }>
type RestBook = Readonly<{ bids: readonly RestLevel[]; asks: readonly RestLevel[] }>
/** Price, amount and cumulative amount, in steps. */
type Row = readonly [string, string, string]

/** Sums levels by groups of `group` price steps, cumulatively. */
function groupLevels(levels: readonly RestLevel[], group: bigint, isBid: boolean): readonly Row[] {
  const sums = new Map<bigint, bigint>()
  for (const { price, amount } of levels) {
    const steps = BigInt(price) / STEPS.price
    const at = (isBid ? steps / group : (steps + group - 1n) / group) * group
    sums.set(at, (sums.get(at) ?? 0n) + BigInt(amount) / STEPS.amount)
  }
  let total = 0n
  return [...sums].slice(0, ROWS).map(([price, lots]): Row => {
    total += lots
    return [String(price), String(lots), String(total)]
  })
}

/** Returns the displayed rows of a side, best first, in steps. */
const rowsOf = (page: Page, side: string): Promise<readonly Row[]> =>
  page.locator(`.${side} tr:not(.vacant)`).evaluateAll((rows) =>
    rows.map((row): Row => {
      const [price, amount, total] = [...row.querySelectorAll('td')].map((cell) =>
        // Prices have two decimals, amounts four: without the point they are steps.
        (cell.textContent ?? '').replace(/[^\d]/g, '').replace(/^0+(?=\d)/, ''),
      )
      return [price ?? '', amount ?? '', total ?? '']
    }),
  )

function spoil(message: string): string {
  if (!message.includes('"orderbook')) return message
  const parsed = JSON.parse(message) as {
    channel?: string
    data?: { bids?: [string, string, string][]; asks?: [string, string, string][] }
  }
  const level = parsed.data?.bids?.[0] ?? parsed.data?.asks?.[0]
  if (!parsed.channel?.startsWith('orderbook') || level === undefined) return message
  level[1] = WRONG
  return JSON.stringify(parsed)
}

type BookWindow = { seenWrong: number; seenExact: number; isWrong: boolean }

/** Counts how often the page shows the wrong amount. */
function watchBook(wrong: string): void {
  const watched: BookWindow = { seenWrong: 0, seenExact: 0, isWrong: false }
  const page = Object.assign(globalThis, watched)
  new MutationObserver(() => {
    const text = (part: string) => document.querySelector(part)?.textContent ?? ''
    if (text('.book').includes(wrong)) page.seenWrong++
    if (page.isWrong && text('.trust').includes('exact')) page.seenExact++
  }).observe(document.body, {
    ...{ subtree: true, childList: true, characterData: true, attributes: true },
  })
}

/** Compares the drawn bar of each row of a side with its total. Pixels. */
function measureBars(side: string): readonly Readonly<{ wanted: number; drawn: number }>[] {
  const canvas = document.querySelector<HTMLCanvasElement>('.book-bars')
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return []
  const box = canvas.getBoundingClientRect()
  const scale = canvas.width / box.width
  const rows = (of: string) => [...document.querySelectorAll(`.${of} tr:not(.vacant)`)]
  const totalOf = (row: Element | undefined) =>
    Number((row?.querySelectorAll('td')[2]?.textContent ?? '').replaceAll(',', ''))
  const deepest = Math.max(...['asks', 'bids'].map((of) => totalOf(rows(of).at(-1))))
  return rows(side).map((row) => {
    const { top, height } = row.getBoundingClientRect()
    const y = Math.round((top + height / 2 - box.top) * scale)
    const { data } = context.getImageData(0, y, canvas.width, 1)
    let drawn = 0
    for (let x = 3; x < data.length; x += 4) if ((data[x] ?? 0) > 0) drawn++
    return { wanted: (box.width * totalOf(row)) / deepest, drawn: drawn / scale }
  })
}
