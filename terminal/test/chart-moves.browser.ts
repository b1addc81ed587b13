// The chart is moved by mouse, wheel, finger, key and button. The candle under the pointer is read
// from the text above the chart and compared with REST.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { TestVenue } from '@openvenue/e2e/venue'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { type OpenPage, openPage, PATIENCE_MS, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { colorOf, countPixels } from './drawn.ts'
import { untilRight, untilSteady } from './polling.ts'
import { holdTraders } from './quiet-market.ts'
import { untilBook } from './shown-market.ts'

const MARKET = 'ETH-PERP'
const SIZE = { width: 1280, height: 900 }
/** Initial distance of candles. Pixels. */
const BAR_PX = 7
const CANDLES = 500
/** Length of the candles. Seconds. */
const MINUTE = 60
/** A drawing is complete once the picture has not changed for this long. */
const STEADY_MS = 50
/** Upper bound of the width of the price axis. Pixels. */
const AXIS_PX = 100

type Candle = Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', string>>
type Point = Readonly<{ x: number; y: number }>

describe('moving the chart', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let fingers: CDPSession
  let candles: readonly Candle[] = []
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    const url = `${venue.devnet.apiUrl}/?market=${MARKET}`
    opened = await openPage(browser, url, { viewport: SIZE })
    const { page } = opened
    await untilBook(page)
    await page.waitForSelector('.drawing canvas')
    fingers = await page.context().newCDPSession(page)
    // Candles no longer change.
    await holdTraders(venue, true)
    await page.locator('.chart').getByRole('button', { name: '1m', exact: true }).click()
    const isNewest = async () => {
      candles = await candlesOf(venue.devnet.apiUrl)
      return isSame(await legendOf(page), candles.at(-1))
    }
    await until('the words are those of the newest candle', isNewest, PATIENCE_MS)
    assert.ok(candles.length > 20, `${candles.length} candles`)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  const press = (name: string) =>
    opened.page.locator('.chart').getByRole('button', { name, exact: true }).click()
  const newest = () => candles.length - 1
  /** Returns to the newest candles, at their initial distance. */
  const begin = async () => {
    const { mouse, keyboard } = opened.page
    const { x, y, width, height } = await frame()
    await mouse.dblclick(x + width / 2, y + height - 8)
    await mouse.dblclick(x + width - 15, y + height / 2)
    await keyboard.press('Escape')
    await mouse.move(0, 0)
  }
  /** Returns the text above the chart while the pointer is at a point. */
  const wordsAt = async ({ x, y }: Point): Promise<readonly string[]> => {
    const { page } = opened
    await page.mouse.move(0, 0)
    await page.mouse.move(x, y)
    // The text comes from the worker, and belongs to this candle once it is stable.
    const readWords = async () => (await legendOf(page)).join()
    const words = await untilSteady('the words above the chart stay', readWords, STEADY_MS)
    return words.split(',')
  }
  /** Waits until one of these candles, or one equal to it, is at a point. */
  const untilOneOf = (what: string, at: Point, wanted: readonly Candle[]) =>
    untilRight(
      what,
      () => wordsAt(at),
      (words) => wanted.some((candle) => isSame(words, candle)),
    )
  /** Waits until a candle, or one equal to it, is at a point. */
  const untilAt = (at: Point, wanted: number) =>
    untilRight(
      `candle ${wanted} is there`,
      () => wordsAt(at),
      (words) => isSame(words, candles[wanted]),
    )
  const frame = async () => {
    const box = await opened.page.locator('.drawing-frame').boundingBox()
    assert.ok(box)
    return box
  }
  /** Returns the point of the candle `back` candles before the newest, at the initial distance. */
  const pointOf = async (back: number): Promise<Point> => {
    const { x, y, width } = await frame()
    // Only the page knows the width of the axis, so the newest candle is searched for.
    for (let right = x + width - AXIS_PX / 2; right > x; right -= BAR_PX) {
      const at = { x: right, y: y + 200 }
      if (isSame(await wordsAt(at), candles[newest() - 1]))
        return { x: right - (back - 1) * BAR_PX, y: at.y }
    }
    throw new Error('the newest candles are nowhere')
  }
  const drag = async (from: Point, to: Point) => {
    const { mouse } = opened.page
    await mouse.move(from.x, from.y)
    await mouse.down()
    await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
    await mouse.move(to.x, to.y)
    await mouse.up()
  }

  test('keys step through the candles of the chart, with the values of REST in words', async () => {
    const { page } = opened
    await begin()
    await page.locator('.drawing-frame').focus()
    const isAt = (index: number) =>
      untilRight(
        `the words are those of candle ${index}`,
        () => legendOf(page),
        (words) => isSame(words, candles[index]),
      )
    for (let back = 0; back < 6; back++) {
      await page.keyboard.press('ArrowLeft')
      await isAt(newest() - back)
    }
    await page.keyboard.press('ArrowRight')
    await isAt(newest() - 4)
    await page.keyboard.press('Escape')
    await isAt(newest())
  })

  test('the chart stops at the oldest candle, and a key returns to the newest one', async () => {
    const { page } = opened
    await begin()
    await page.locator('.drawing-frame').focus()
    for (let back = 0; back <= candles.length; back++) await page.keyboard.press('ArrowLeft')
    await untilRight(
      'the words are those of the oldest candle',
      () => legendOf(page),
      (words) => isSame(words, candles[0]),
    )
    await page.keyboard.press('End')
    await page.keyboard.press('Escape')
    await untilAt(await pointOf(1), newest() - 1)
  })

  test('the chart follows a drag candle by candle, and offers the way back', async () => {
    await begin()
    const at = await pointOf(12)
    await untilAt(at, newest() - 12)
    await drag(at, { x: at.x + 10 * BAR_PX, y: at.y })
    await untilAt(at, newest() - 22)
    await press('To the latest candle')
    await untilAt(at, newest() - 12)
  })

  test('the wheel zooms the chart around the pointer', async () => {
    const { page } = opened
    await begin()
    const at = await pointOf(12)
    const beside = { x: at.x - 10 * BAR_PX, y: at.y }
    await untilAt(beside, newest() - 22)
    await page.mouse.move(at.x, at.y)
    await page.mouse.wheel(0, -150)
    await untilAt(at, newest() - 12)
    const between = candles.slice(newest() - 21, newest() - 12)
    await untilOneOf('a later candle is beside it', beside, between)
    await page.mouse.move(at.x, at.y)
    await page.mouse.wheel(0, 150)
    await untilAt(beside, newest() - 22)
    // A horizontal wheel scrolls: to the right are later candles.
    await page.mouse.wheel(-5 * BAR_PX, 0)
    await untilAt(at, newest() - 17)
  })

  test('the chart has a button for everything that can be dragged', async () => {
    await begin()
    const at = await pointOf(12)
    await press('Fewer candles')
    await untilOneOf('a later candle is there', at, candles.slice(newest() - 11))
    await press('More candles')
    await untilAt(at, newest() - 12)
    await press('Earlier candles')
    const later = candles.slice(newest() - 20)
    await untilRight(
      'an earlier candle is there, or none',
      () => wordsAt(at),
      (words) => !later.some((candle) => isSame(words, candle)),
    )
    await press('Later candles')
    await untilAt(at, newest() - 12)
  })

  test('dragging stretches the price axis of the chart, and a double click resets it', async () => {
    const { page } = opened
    await begin()
    await page.mouse.move(0, 0)
    const [buy, sell] = [await page.evaluate(colorOf, 'buy'), await page.evaluate(colorOf, 'sell')]
    const drawn = async () =>
      (await page.evaluate(countPixels, buy)) + (await page.evaluate(countPixels, sell))
    // It is drawn with the next frame.
    const first = await untilSteady('the candles stay', drawn, STEADY_MS)
    const { x, y, width } = await frame()
    const axis = { x: x + width - 15, y: y + 200 }
    await drag(axis, { x: axis.x, y: axis.y + 150 })
    await page.mouse.move(0, 0)
    await untilRight('the candles are lower', drawn, (pixels) => pixels < first * 0.8)
    await drag(axis, { x: axis.x, y: axis.y - 150 })
    await untilRight('the candles are taller', drawn, (pixels) => pixels > first * 0.8)
    await page.mouse.dblclick(axis.x, axis.y)
    await page.mouse.move(0, 0)
    await untilRight('the candles are as at first', drawn, (pixels) => pixels === first)
    // Buttons do the same for users who cannot drag.
    await press('Lower candles')
    await press('Lower candles')
    await untilRight('the candles are lower', drawn, (pixels) => pixels < first * 0.8)
    await press('Taller candles')
    await press('Taller candles')
    await untilRight('the candles are taller', drawn, (pixels) => pixels > first * 0.8)
  })

  test('one finger moves the chart, and two zoom', async () => {
    await begin()
    const at = await pointOf(12)
    await swipe(fingers, [[at, { x: at.x + 10 * BAR_PX, y: at.y }]])
    await untilAt(at, newest() - 22)
    await press('To the latest candle')
    const [left, right] = [
      { x: at.x - 40, y: at.y },
      { x: at.x + 40, y: at.y },
    ]
    await swipe(fingers, [
      [left, { ...left, x: left.x - 60 }],
      [right, { ...right, x: right.x + 60 }],
    ])
    // The candles between the fingers are still visible, and those beside them are not.
    await untilAt(at, newest() - 12)
    const between = candles.slice(newest() - 19, newest() - 12)
    await untilRight(
      'a later candle is beside it',
      () => wordsAt({ x: at.x - 10 * BAR_PX, y: at.y }),
      (words) => between.some((candle) => isSame(words, candle)),
    )
    assert.deepEqual(opened.faults, [])
  })
})

/** Returns the candles of REST, with those of minutes without trades at the last close. */
async function candlesOf(apiUrl: string): Promise<readonly Candle[]> {
  const query = `instrument_name=${MARKET}&resolution=1&countback=${CANDLES}`
  const answer = await fetch(`${apiUrl}/candles?${query}`)
  const traded = (await answer.json()) as readonly (Candle & Readonly<{ time: number }>)[]
  return traded.flatMap((candle, at) => {
    const next = traded[at + 1]?.time ?? candle.time + MINUTE
    const { close } = candle
    const quiet = { open: close, high: close, low: close, close, volume: '0' }
    return [candle, ...Array.from({ length: (next - candle.time) / MINUTE - 1 }, () => quiet)]
  })
}

/** Returns the text above the chart: open, high, low, close, change, volume. */
async function legendOf(page: Page): Promise<readonly string[]> {
  const words = await page.locator('.legend dd').allTextContents()
  return words.map((text) => text.replaceAll(',', ''))
}

/** Returns true if the text belongs to a candle. */
function isSame(words: readonly string[], candle: Candle | undefined): boolean {
  if (candle === undefined) return false
  const [open, high, low, close, , volume] = words.map(Number)
  const prices = [candle.open, candle.high, candle.low, candle.close].map(Number)
  return (
    [open, high, low, close].join() === prices.join() &&
    Math.abs((volume ?? 0) - Number(candle.volume)) < 0.01
  )
}

async function swipe(session: CDPSession, paths: readonly (readonly [Point, Point])[]) {
  const steps = 6
  const pointsAt = (share: number) =>
    paths.map(([from, to], id) => ({
      ...{ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, id },
    }))
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', pointsAt(0))
  for (let step = 1; step <= steps; step++) await send('touchMove', pointsAt(step / steps))
  await send('touchEnd', [])
}
