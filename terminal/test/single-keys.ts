// Tests every key that the page lists, with a check of its effect.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { untilRight, untilSteady } from './polling.ts'

type Key = Readonly<{ key: string; name: string; works: (page: Page) => Promise<void> }>

const press = async (page: Page, key: string) => {
  // Removes the focus from inputs, so that shortcuts work.
  await page.locator('h2').first().click()
  await page.keyboard.press(key)
}
const untilClosed = async (page: Page) => {
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}
const amountOf = (page: Page) => page.locator('.order').getByLabel(/^Size/)

/** Checks that the side is chosen, and that the amount has the focus. */
const begins = (side: 'buy' | 'sell', key: string) => async (page: Page) => {
  await page.locator('.sides button[aria-pressed="false"]').click()
  await press(page, key)
  await page.locator(`.sides .${side}[aria-pressed="true"]`).waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'order-amount')
}

/** In the order of the help; the account has one order of ETH-PERP. */
export const KEYS: readonly Key[] = [
  { key: 'b', name: 'Buy', works: begins('buy', 'b') },
  { key: 's', name: 'Sell', works: begins('sell', 's') },
  {
    ...{ key: 'Escape', name: 'Clear the order' },
    works: async (page) => {
      await amountOf(page).fill('0.7')
      await amountOf(page).press('Escape')
      assert.equal(await amountOf(page).inputValue(), '')
    },
  },
  {
    ...{ key: 'c', name: 'Cancel all orders of this market' },
    works: async (page) => {
      await press(page, 'c')
      await page.locator('dialog[open]').getByText('Cancel 1 order of ETH-PERP?').waitFor()
      await untilClosed(page)
    },
  },
  {
    ...{ key: '/', name: 'Choose a market' },
    works: async (page) => {
      await press(page, '/')
      await page.locator('.market-menu').waitFor()
      await untilClosed(page)
    },
  },
  {
    ...{ key: 'r', name: 'Read out the market' },
    works: async (page) => {
      const { said, shown } = await readByKey(page)
      assert.equal(said, shown)
      assert.match(said, /bid [\d,.]+, ask [\d,.]+, spread [\d.]+, long 0\.1/)
    },
  },
  {
    ...{ key: '?', name: 'Keyboard shortcuts' },
    works: async (page) => {
      await press(page, '?')
      await page.locator('dialog[open][aria-label="Keyboard shortcuts"]').waitFor()
      await untilClosed(page)
    },
  },
  {
    ...{ key: 'Ctrl K', name: 'Command palette' },
    works: async (page) => {
      await amountOf(page).press('Control+k')
      const palette = page.locator('dialog[open][aria-label="Command palette"]')
      for (const { key, name } of KEYS.slice(0, COMMANDS))
        await palette.getByRole('button', { name: `${name} ${key}`, exact: true }).waitFor()
      await untilClosed(page)
    },
  },
  {
    ...{ key: 'Enter', name: 'On a book row: use its price. Arrows move between rows' },
    works: async (page) => {
      await page.locator('.bids tr').first().focus()
      await page.keyboard.press('ArrowDown')
      const isSecond = await page
        .locator('.bids tr')
        .nth(1)
        .evaluate((row) => row === document.activeElement)
      assert.ok(isSecond, 'an arrow goes to the row below')
      const price = await page.evaluate(() => {
        const row = document.activeElement
        const text = row?.querySelector('.price')?.lastChild?.textContent ?? ''
        row?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
        return text.trim()
      })
      assert.match(price, /\d/)
      assert.equal(
        await page
          .locator('.order')
          .getByLabel(/^Price/)
          .inputValue(),
        price,
      )
    },
  },
  {
    ...{ key: '← →', name: 'On the chart: previous or next candle, in words' },
    works: async (page) => {
      // An older candle, because the newest one changes.
      for (let back = 0; back < 3; back++) await onChart(page, 'ArrowLeft')
      const closed = await steadyLegend(page)
      await onChart(page, 'ArrowLeft')
      await untilRight(
        'the words are those of another candle',
        () => legendOf(page),
        (words) => words !== closed,
      )
      await onChart(page, 'ArrowRight')
      await untilRight(
        'the words are those of the candle again',
        () => legendOf(page),
        (words) => words === closed,
      )
      await page.keyboard.press('Escape')
    },
  },
  {
    ...{ key: '+ −', name: 'On the chart: zoom in or out' },
    works: async (page) => {
      const { x, y, width } = (await page.locator('.drawing-frame').boundingBox()) ?? assert.fail()
      // Some candles before the newest.
      const at = () => pointedAt(page, { x: x + width - 147, y: y + 200 })
      const before = await at()
      await onChart(page, '+')
      const near = await untilRight('another candle is there', at, (words) => words !== before)
      await onChart(page, '-')
      await untilRight('yet another candle is there', at, (words) => words !== near)
    },
  },
  {
    ...{ key: 'End', name: 'On the chart: latest candle' },
    works: async (page) => {
      await page.getByRole('button', { name: 'Earlier candles' }).click()
      const back = page.getByRole('button', { name: 'To the latest candle' })
      await back.waitFor()
      await onChart(page, 'End')
      await back.waitFor({ state: 'detached' })
    },
  },
]
/** Number of commands; other keys open the palette or belong to the book and the chart. */
const COMMANDS = 7

const STEADY_MS = 300

async function onChart(page: Page, key: string): Promise<void> {
  await page.locator('.drawing-frame').focus()
  await page.keyboard.press(key)
}

const legendOf = async (page: Page) => (await page.locator('.legend').textContent()) ?? ''

/** The text comes from the worker, and belongs to a candle once it is stable. */
const steadyLegend = (page: Page): Promise<string> =>
  untilSteady('the words above the chart stay', () => legendOf(page), STEADY_MS)

/** Returns the text of the candle at a point. */
async function pointedAt(page: Page, { x, y }: Readonly<{ x: number; y: number }>) {
  await page.mouse.move(0, 0)
  await page.mouse.move(x, y)
  return steadyLegend(page)
}

/** Presses `r`, and reads the announcement and the display at the same moment: prices move. */
async function readByKey(page: Page): Promise<Readonly<{ said: string; shown: string }>> {
  await page.locator('h2').first().click()
  return page.evaluate(() => {
    const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? ''
    const price = (side: string) =>
      document.querySelector(`.${side} tr .price`)?.lastChild?.textContent?.trim() ?? ''
    const value = text('.market-name')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }))
    const said = text('.keys-said')
    const [size = '', entry = ''] = [2, 4].map((at) =>
      text(`.rows tbody tr td:nth-child(${at})`).replace(/^[▲▼] /, ''),
    )
    const position = `${size}, entry ${entry}`
    const spread = text('.middle td:last-child')
    return {
      said,
      shown: `${value}: bid ${price('bids')}, ask ${price('asks')}, spread ${spread}, ${position}`,
    }
  })
}

/** Returns the list under "?", as displayed. */
export async function listedKeys(page: Page): Promise<readonly (readonly string[])[]> {
  await press(page, '?')
  const dialog = page.locator('dialog[open][aria-label="Keyboard shortcuts"]')
  await dialog.waitFor()
  const listed = await dialog
    .locator('dl > div')
    .evaluateAll((all) =>
      all.map((one) => [...one.querySelectorAll('kbd, dd')].map((part) => part.textContent ?? '')),
    )
  await untilClosed(page)
  return listed
}

/** Turns single-key shortcuts off and on under "?": while off, keys do nothing. */
export async function turnKeysOff(page: Page): Promise<void> {
  const turn = async () => {
    await page.locator('dialog[open]').getByLabel('Single-key shortcuts').click()
    await untilClosed(page)
  }
  await press(page, '?')
  await turn()
  await press(page, '?')
  assert.equal(await page.locator('dialog[open]').count(), 0, 'the key does nothing')
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open]').getByRole('button', { name: 'Keyboard shortcuts ?' }).click()
  await turn()
  await press(page, '?')
  await page.locator('dialog[open]').waitFor()
  await untilClosed(page)
}
