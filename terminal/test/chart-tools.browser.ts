// The toolbar of the chart and what it keeps: scale, type, indicators, drawings. Orders begin at a
// price of the chart, keys announce candles, and every load begins at the newest candle.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { listenToRegions, readAnnounced } from './live-regions.ts'
import { untilRight } from './polling.ts'
import { untilBook } from './shown-market.ts'

const MARKET = 'ETH-PERP'
const SIZE = { width: 1280, height: 900 }
/** Half of a way across the drawn line. */
const ACROSS_PX = 60
const LOADS = 50
const LOADS_PER_TEST = 10

describe('the tools of the chart', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=${MARKET}`, { viewport: SIZE })
    await untilChart()
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const chart = () => opened.page.locator('.chart')
  const dialog = () => opened.page.locator('dialog[open]')
  const press = (name: string) => chart().getByRole('button', { name, exact: true }).click()
  const untilChart = async () => {
    await untilBook(opened.page)
    await opened.page.waitForSelector('.drawing canvas')
    await chart().locator('.legend dd').first().waitFor()
  }
  const reload = async () => {
    await opened.page.reload()
    await untilChart()
  }
  const frame = async () => {
    const box = await chart().locator('.drawing-frame').boundingBox()
    assert.ok(box)
    return box
  }
  /** The drawings that the browser keeps for a market. */
  const keptDrawings = () =>
    opened.page.evaluate(
      (name) =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('openvenue-chart')
          opening.onsuccess = () => {
            const table = opening.result.transaction('kept').objectStore('kept')
            const reading = table.get(`drawings ${name}`)
            reading.onsuccess = () => {
              opening.result.close()
              resolve(Array.isArray(reading.result) ? reading.result.length : 0)
            }
          }
        }),
      MARKET,
    )

  test('indicators are found by name, shown with their values, and removed by their chip', async () => {
    await press('Indicators')
    await dialog().getByRole('searchbox').fill('relative strength')
    assert.equal(await dialog().locator('.tool-list button').count(), 1)
    await dialog().getByRole('button', { name: /^RSI/ }).click()
    await dialog().getByRole('searchbox').fill('moving average')
    await dialog()
      .getByRole('button', { name: /^MA Moving/ })
      .click()
    await dialog().getByRole('button', { name: 'Close' }).click()
    const chip = (name: string) => chart().locator('.chip', { hasText: name })
    await untilRight(
      'the values of the average are shown',
      async () => (await chip('MA 5').textContent()) ?? '',
      (words) => /3,\d{3}/.test(words),
    )
    await chip('RSI').waitFor()
    await press('Remove MA')
    await chip('MA 5').waitFor({ state: 'detached' })
  })

  test('interval, scale, type and indicators of the chart are kept over a reload', async () => {
    await press('15m')
    await chart().getByLabel('Price scale').selectOption('Log')
    await chart().getByLabel('Chart type').selectOption('Hollow')
    await reload()
    await chart().locator('.chip', { hasText: 'RSI' }).waitFor()
    assert.equal(await chart().getByLabel('Price scale').inputValue(), 'log')
    assert.equal(await chart().getByLabel('Chart type').inputValue(), 'hollow')
    assert.equal(
      await chart().getByRole('button', { name: '15m', exact: true }).getAttribute('aria-pressed'),
      'true',
    )
    await press('Remove RSI')
    for (const scale of ['Percent', 'Linear'])
      await chart().getByLabel('Price scale').selectOption(scale)
    for (const type of ['Area', 'Bars', 'Candles'])
      await chart().getByLabel('Chart type').selectOption(type)
    await press('1m')
    assert.deepEqual(opened.faults, [])
  })

  test('a drawing is kept for its market over a reload, and removed by a key', async () => {
    const { page } = opened
    await press('Drawings')
    await dialog().getByRole('button', { name: 'Trend line' }).click()
    const { x, y } = await frame()
    await page.mouse.click(x + 300, y + 150)
    // The library takes a second click at once for a double one.
    await untilRight(
      'the line is complete',
      async () => {
        await page.mouse.click(x + 400, y + 250)
        return keptDrawings()
      },
      (count) => count === 1,
    )
    await chart().getByText('Click on the chart to draw').waitFor({ state: 'detached' })
    await reload()
    await untilRight(
      'the line is selected',
      async () => {
        // It moves with its candles and their scale: a way across it hits it wherever it is. The
        // library takes every second click at once for a part of a double one.
        const remove = chart().getByRole('button', { name: 'Remove drawing' })
        for (let off = -ACROSS_PX; off <= ACROSS_PX; off++) {
          await page.mouse.click(x + 350 + off, y + 200 - off)
          if ((await remove.count()) === 1) return 1
        }
        return 0
      },
      (count) => count === 1,
    )
    await page.keyboard.press('Delete')
    await untilRight('nothing is kept', keptDrawings, (count) => count === 0)
  })

  test('a right click on the chart offers the orders at that price, and fills the form', async () => {
    const { page } = opened
    const { x, y, height } = await frame()
    await page.mouse.click(x + 300, y + height - 60, { button: 'right' })
    const menu = chart().getByRole('menu')
    const buy = menu.getByRole('menuitem', { name: /^Buy limit/ })
    const price = ((await buy.textContent()) ?? '').replace('Buy limit ', '').replaceAll(',', '')
    await menu.getByRole('menuitem', { name: /^Sell stop/ }).waitFor()
    await buy.click()
    const form = page.locator('.order')
    assert.equal(await form.getByLabel(/^Price/).inputValue(), price)
    await page.mouse.click(x + 300, y + 60, { button: 'right' })
    await menu.getByRole('menuitem', { name: /^Buy stop/ }).click()
    assert.match(await form.getByLabel(/^Trigger/).inputValue(), /^\d+\.\d\d$/)
  })

  test('the orders at a price of the chart are reached by "+" and by the menu key', async () => {
    const { page } = opened
    const { x, y } = await frame()
    await page.mouse.move(x + 300, y + 80)
    await press('Order at this price')
    const menu = chart().getByRole('menu')
    await menu.getByRole('menuitem', { name: /^Sell limit/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await chart().locator('.drawing-frame').focus()
    await page.keyboard.press('Shift+F10')
    await menu.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
  })

  test('arrow keys on the chart are announced with the time and the values of the candle', async () => {
    const { page } = opened
    await page.mouse.move(0, 0)
    await chart().locator('.drawing-frame').focus()
    await listenToRegions(page)
    for (let back = 0; back < 3; back++) await page.keyboard.press('ArrowLeft')
    await untilRight(
      'the candle is announced',
      () => readAnnounced(page),
      (all) =>
        all.some(({ text, politeness }) => {
          const isCandle = /^\w{3}, .* \d\d:\d\d: open [\d,.]+, high .*, low .*, close /.test(text)
          return politeness === 'polite' && isCandle
        }),
    )
    await page.keyboard.press('Escape')
  })

  for (let first = 1; first <= LOADS; first += LOADS_PER_TEST)
    test(`the chart begins at the newest candle in each load, from the ${first}. on`, async () => {
      for (let load = 0; load < LOADS_PER_TEST; load++) {
        await opened.page.reload()
        await chart().locator('.legend dd').first().waitFor()
        const back = await chart().getByRole('button', { name: 'To the latest candle' }).count()
        assert.equal(back, 0, `load ${first + load}`)
      }
      assert.deepEqual(opened.faults, [])
    })
})
