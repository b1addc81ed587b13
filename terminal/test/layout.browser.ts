// The layout in a real browser: visibility at each width, reachability by hand, and sizes.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import { type Browser, devices, type Page } from 'playwright-core'
import { findBarriers } from './barriers.ts'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { untilRight } from './polling.ts'
import { untilBook } from './shown-market.ts'
import { smallTargets } from './targets.ts'

const PHONE = { width: 360, height: 740 }
const TABLET = { width: 768, height: 1024 }
const LAPTOP = { width: 1280, height: 800 }
/** 1280 by 1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 }
const TARGET_PX = 24
/** A device without a mouse, of any size. */
const FINGER = devices['Pixel 7'] ?? {}
const THEMES = ['dark', 'light'] as const
/** The dark background of the page. */
const DARK = 'rgb(11, 14, 17)'
/** Minimum height of the book on every screen that is not zoomed. */
const BOOK_PX = 200

describe('the layout', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage | undefined
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
  })
  after(async () => {
    await browser?.close()
    await use.end()
  })
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })

  const open = async (
    viewport: typeof PHONE,
    options: Parameters<typeof openPage>[2] = {},
  ): Promise<Page> => {
    await opened?.close()
    opened = await openPage(browser, venue.devnet.apiUrl, { ...options, viewport })
    await untilBook(opened.page)
    return opened.page
  }
  const tab = (page: Page, name: string) => page.getByRole('tab', { name })
  const isSeen = (page: Page, selector: string) => page.locator(selector).first().isVisible()
  const seen = async (page: Page) => {
    const panels = ['.chart', '.book', '.trades', '.bottom', '.account', '.order']
    const all = await Promise.all(panels.map((panel) => isSeen(page, panel)))
    return panels.filter((_, at) => all[at])
  }
  const heightOf = async (page: Page, selector: string) =>
    (await page.locator(selector).boundingBox())?.height ?? 0

  const endOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).boundingBox()
    return (box?.y ?? Number.NaN) + (box?.height ?? 0)
  }

  test('the layout shows everything side by side if there is room', async () => {
    const page = await open(LAPTOP)
    assert.deepEqual(await seen(page), [
      ...['.chart', '.book', '.trades', '.bottom', '.account', '.order'],
    ])
    assert.equal(await page.getByRole('tab').count(), 0)
    assert.ok((await endOf(page, '.place')) <= LAPTOP.height, 'the form needs no scrolling')
    assert.equal(await heightOf(page, 'header'), 48)
    assert.equal(await endOf(page, '.status-line'), LAPTOP.height)
  })

  test('book and trades share a tab on a tablet, with room for them and the form', async () => {
    const page = await open(TABLET)
    assert.deepEqual(await seen(page), ['.chart', '.book', '.bottom', '.account', '.order'])
    assert.ok((await heightOf(page, '.book')) >= BOOK_PX)
    assert.ok((await endOf(page, '.place')) <= TABLET.height, 'the form needs no scrolling')
    await tab(page, 'Book').press('ArrowRight')
    assert.equal(await tab(page, 'Trades').getAttribute('aria-selected'), 'true')
    assert.ok(await isSeen(page, '.trades'))
    assert.ok(!(await isSeen(page, '.book')))
  })

  test('a phone has a tab for each view, and a sheet that keeps typed values', async () => {
    const page = await open(PHONE)
    for (const [name, panel] of [
      ['Book', '.book'],
      ['Trades', '.trades'],
      ['Positions', '.bottom'],
      ['Account', '.account'],
      ['Chart', '.chart'],
    ] as const) {
      await tab(page, name).click()
      assert.deepEqual(await seen(page), [panel])
    }
    await page.locator('.trade-bar .sell').click()
    const sheet = page.locator('.order-sheet[open]')
    await sheet.waitFor()
    assert.equal(await sheet.locator('.sides .sell').getAttribute('aria-pressed'), 'true')
    await sheet.getByLabel(/^Size/).fill('0.25')
    for (let times = 0; times < 40; times++) {
      await page.keyboard.press('Tab')
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog'),
      )
      assert.ok(isInside, 'the keyboard stays in the sheet')
    }
    await sheet.getByRole('button', { name: 'Go to your account' }).click()
    await page.getByRole('button', { name: 'Get test money' }).waitFor()
    await sheet.waitFor({ state: 'detached' })
    await page.locator('.trade-bar .buy').click()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await page.locator('.trade-bar .buy').click()
    assert.equal(await sheet.getByLabel(/^Size/).inputValue(), '0.25')
    await page.getByRole('button', { name: 'Close the order form' }).click()
    await sheet.waitFor({ state: 'detached' })
  })

  test('a phone shows block, network and checksum state', async () => {
    for (const viewport of [PHONE, { width: 320, height: 640 }]) {
      const page = await open(viewport)
      await page.locator('.network').waitFor()
      const strip = page.locator('.trust')
      await strip.filter({ hasText: /block [\d,]+ · \d+ ms · ✓ exact/ }).waitFor()
      for (const part of [strip, page.locator('.network')])
        assert.ok(await part.evaluate((one) => one.scrollWidth <= one.clientWidth), 'none is cut')
      assert.equal(await page.locator('.network').textContent(), 'devnet')
    }
  })

  test('book rows are large enough for a finger', async () => {
    for (const viewport of [PHONE, LAPTOP]) {
      const page = await open(viewport, FINGER)
      if (viewport === PHONE) await tab(page, 'Book').click()
      const rows = page.locator(':is(.asks, .bids) tr:not(.vacant)')
      const readHeights = () =>
        rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
      // Traders fill the book one level at a time.
      const heights = await untilRight('20 levels', readHeights, ({ length }) => length >= 20)
      assert.deepEqual(
        heights.filter((height) => height < TARGET_PX),
        [],
      )
    }
  })

  test('the order sheet closes when dragged down, and opens at a price of the book', async () => {
    const page = await open(PHONE)
    await tab(page, 'Book').click()
    // Read and clicked at once, because prices move.
    const price = await page
      .locator('.bids tr')
      .first()
      .evaluate((row: HTMLElement) => {
        row.click()
        return (row.querySelector('.price')?.textContent ?? '').trim()
      })
    const sheet = page.locator('.order-sheet[open]')
    assert.equal(await sheet.getByLabel(/^Price/).inputValue(), price)
    const handle = await page.locator('.sheet-handle').boundingBox()
    assert.ok(handle !== null)
    await page.mouse.move(handle.x + 100, handle.y + 10)
    await page.mouse.down()
    await page.mouse.move(handle.x + 100, handle.y + 200, { steps: 4 })
    await page.mouse.up()
    await sheet.waitFor({ state: 'detached' })
  })

  test('the page reflows at 400 %, and only the page scrolls, and only vertically', async () => {
    const page = await open(ZOOMED)
    for (const name of ['Chart', 'Book', 'Trades', 'Positions', 'Account']) {
      await tab(page, name).click()
      const [wide, high] = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [scrollWidth, scrollHeight]
      })
      assert.ok((wide ?? 0) <= ZOOMED.width, `${name}: ${wide} px wide`)
      assert.ok((high ?? 0) > ZOOMED.height, `${name}: the page itself scrolls`)
    }
    await page.locator('.trade-bar .buy').click()
    const sheet = page.locator('.order-sheet[open]')
    const widths = await sheet.evaluate(({ scrollWidth, clientWidth }) => [
      scrollWidth,
      clientWidth,
    ])
    assert.ok((widths[0] ?? 0) <= (widths[1] ?? 0), `the sheet is ${widths[0]} px wide`)
  })

  test('every target is at least 24 px at every width', async () => {
    const page = await open(LAPTOP)
    for (const viewport of [LAPTOP, TABLET, PHONE]) {
      await page.setViewportSize(viewport)
      assert.deepEqual(await smallTargets(page), [], `${viewport.width} px`)
    }
    await page.locator('.trade-bar .buy').click()
    assert.deepEqual(await smallTargets(page), [], 'in the sheet')
  })

  for (const colorScheme of THEMES)
    test(`the page passes axe with a sheet, settings or keys open, ${colorScheme}`, async () => {
      const page = await open(PHONE, { colorScheme })
      await page.locator('.trade-bar .buy').click()
      assert.deepEqual(await findBarriers(page), [], 'sheet')
      await page.keyboard.press('Escape')
      for (const name of ['Book', 'Positions', 'Account']) {
        await tab(page, name).click()
        assert.deepEqual(await findBarriers(page), [], name)
      }
      await page.getByRole('button', { name: 'Settings' }).click()
      assert.deepEqual(await findBarriers(page), [], 'settings')
      await page.keyboard.press('Escape')
      await page.setViewportSize(LAPTOP)
      await page.locator('h2').first().click()
      await page.keyboard.press('?')
      await page.locator('dialog[open]').waitFor()
      assert.deepEqual(await findBarriers(page), [], 'keys')
    })

  test('dragging, keys or a click resize the bottom panel, which keeps its height', async () => {
    const page = await open(LAPTOP)
    const before = await heightOf(page, '.view-tables')
    const line = await page.locator('.resizer').boundingBox()
    assert.ok(line !== null)
    await page.mouse.move(line.x + 200, line.y + 4)
    await page.mouse.down()
    await page.mouse.move(line.x + 200, line.y - 60, { steps: 8 })
    await page.mouse.up()
    const dragged = await heightOf(page, '.view-tables')
    assert.ok(dragged > before + 40, `${before} to ${dragged} px`)
    await page.locator('.resizer').press('ArrowDown')
    assert.equal(await heightOf(page, '.view-tables'), dragged - 16)
    await page.reload()
    await untilBook(page)
    assert.equal(await heightOf(page, '.view-tables'), dragged - 16)
    // A click toggles the height, so that dragging is never necessary.
    const click = async () => {
      const { x = 0, y = 0 } = (await page.locator('.resizer').boundingBox()) ?? {}
      await page.mouse.click(x + 200, y + 4)
      return heightOf(page, '.view-tables')
    }
    assert.equal(await click(), 440)
    assert.equal(await page.locator('.resizer').getAttribute('aria-valuenow'), '440')
    assert.equal(await click(), before)
  })

  test('a setting turns prices blue and orange, passes axe in all themes and is kept', async () => {
    const page = await open(LAPTOP)
    const colors = () =>
      page.evaluate(() =>
        ['.bids .price', '.asks .price'].map((selector) => {
          const { color } = getComputedStyle(document.querySelector(selector) ?? document.body)
          return (/[\d.]+, [\d.]+, [\d.]+/.exec(color)?.[0] ?? '').split(', ').map(Number)
        }),
      )
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.locator('.settings').getByLabel(name, { exact: true }).check()
      await page.keyboard.press('Escape')
    }
    for (const theme of THEMES) {
      await choose('Green and red')
      await choose(theme === 'dark' ? 'Dark' : 'Light')
      const before = await colors()
      await choose('Blue and orange')
      for (const [at, [red = 0, green = 0, blue = 0]] of (await colors()).entries()) {
        assert.notDeepEqual([red, green, blue], before[at])
        if (at === 0) assert.ok(blue > green && green > red, `buy: ${red} ${green} ${blue}`)
        else assert.ok(red > green && green > blue, `sell: ${red} ${green} ${blue}`)
      }
      assert.deepEqual(await findBarriers(page), [], theme)
    }
    const chosen = await colors()
    await page.reload()
    await untilBook(page)
    assert.deepEqual(await colors(), chosen)
  })

  test('the page is dark unless a setting chooses light or the colours of the system', async () => {
    const context = await browser.newContext({ colorScheme: 'light', viewport: LAPTOP })
    try {
      const page = await context.newPage()
      await page.goto(venue.devnet.apiUrl)
      await untilBook(page)
      const background = () =>
        page.evaluate(() => {
          const { backgroundColor } = getComputedStyle(document.body)
          return /rgb\(\d/.test(backgroundColor) ? backgroundColor : ''
        })
      assert.equal(await background(), DARK)
      await page.getByRole('button', { name: 'Settings' }).click()
      const themes = page.getByRole('group', { name: 'Theme' })
      await themes.getByLabel('System').check()
      assert.notEqual(await background(), DARK)
      await page.emulateMedia({ colorScheme: 'dark' })
      assert.equal(await background(), DARK)
      await themes.getByLabel('Light').check()
      assert.notEqual(await background(), DARK)
      await page.reload()
      await untilBook(page)
      assert.notEqual(await background(), DARK, 'the choice is kept')
    } finally {
      await context.close()
    }
  })

  test('nothing moves once the motion setting is off, whatever the system prefers', async () => {
    const page = await open(LAPTOP, { reducedMotion: 'no-preference' })
    /** Temporary banners fade in, which is the only motion of the page. */
    const motionOf = () =>
      page.evaluate(() => {
        const banner = document.createElement('p')
        banner.className = 'banner passing'
        document.querySelector('.banners')?.append(banner)
        const { animationName } = getComputedStyle(banner)
        banner.remove()
        return animationName
      })
    assert.equal(await motionOf(), 'appear')
    await page.getByRole('button', { name: 'Settings' }).click()
    const motion = page.getByRole('group', { name: 'Motion' })
    await motion.getByLabel('Reduced').check()
    assert.equal(await motionOf(), 'none')
    await page.reload()
    await untilBook(page)
    assert.equal(await motionOf(), 'none')
    await page.getByRole('button', { name: 'Settings' }).click()
    await motion.getByLabel('System').check()
    assert.equal(await motionOf(), 'appear')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    assert.equal(await motionOf(), 'none')
  })

  test('a setting mirrors the layout, with the form on the left', async () => {
    const page = await open(LAPTOP)
    const leftOf = async (selector: string) => (await page.locator(selector).boundingBox())?.x ?? 0
    assert.ok((await leftOf('.order')) > (await leftOf('.chart')))
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('Mirror the layout').check()
    assert.ok((await leftOf('.order')) < (await leftOf('.chart')))
  })

  test('the page starts with a link past the header, and has one top-level heading', async () => {
    const page = await open(LAPTOP)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'skip')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'content')
    assert.equal(await page.locator('h1').count(), 1)
    assert.equal(await page.getByRole('main').count(), 1)
    const live = await page.locator('[aria-live], [role="status"], [role="alert"]').all()
    for (const region of live)
      assert.equal(await region.locator('.book, .trades, .facts, .trust').count(), 0)
  })

  test('the page obeys reduced motion, and draws its borders with forced colours', async () => {
    const page = await open(LAPTOP, { reducedMotion: 'reduce', forcedColors: 'active' })
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { animationName, transitionDuration } = getComputedStyle(element)
          return animationName !== 'none' || transitionDuration !== '0s'
        }).length,
    )
    assert.equal(moving, 0)
    const chosen = page.locator('.sides [aria-pressed="true"]')
    const other = page.locator('.sides [aria-pressed="false"]')
    const looks = (element: Element) => {
      const { backgroundColor, borderColor, outlineStyle } = getComputedStyle(element)
      return `${backgroundColor} ${borderColor} ${outlineStyle}`
    }
    assert.notEqual(await chosen.evaluate(looks), await other.evaluate(looks))
    assert.deepEqual(opened?.faults, [])
  })
})
