// Measures an open page: the time from a message to its paint, the tasks of the page while its
// chart is dragged and its tables are opened, and the activity of a hidden page.
import type { Browser, Page } from 'playwright-core'
import type { FrameFigures, OpenFigures } from './figures.ts'
import { type FrameWindow, watchPosts } from './frame-probe.ts'
import { measureHidden } from './hide.ts'

const DRAG_STEPS = 20
const DRAG_STEP_MS = 16
const TABS = ['Orders', 'Fills', 'History', 'Positions']

/** Measures each for `seconds`. */
export async function measureOpen(
  browser: Browser,
  url: string,
  seconds: number,
): Promise<OpenFigures> {
  const page = await openWatched(browser, url)
  try {
    const forMs = seconds * 1000
    const quiet = await figuresOf(page, () => page.waitForTimeout(forMs))
    const used = await figuresOf(page, () => use(page, forMs))
    return { quiet, used, hidden: await measureHidden(page, () => page.waitForTimeout(forMs / 2)) }
  } finally {
    await page.context().close()
  }
}

/** Opens the page served by `watched-page.ts`, and waits until everything is rendered. */
export async function openWatched(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(watchPosts)
  await page.goto(url)
  await page.waitForFunction(
    () =>
      (globalThis as unknown as FrameWindow).openvenueFrames.bookMs.length > 0 &&
      document.querySelector('.drawing canvas') !== null,
  )
  return page
}

/** Returns the measurements taken while `work` ran. */
async function figuresOf(page: Page, work: () => Promise<unknown>): Promise<FrameFigures> {
  await page.evaluate(() => {
    const { openvenueFrames: figures } = globalThis as unknown as FrameWindow
    const none = { bookMs: [], tradesMs: [], bookMessages: 0, tradesMessages: 0 }
    Object.assign(figures, none, { longTasksMs: [], posts: 0, mutations: 0, isCounting: true })
  })
  await work()
  return await page.evaluate(() => (globalThis as unknown as FrameWindow).openvenueFrames)
}

/** Simulates continuous use. */
async function use(page: Page, forMs: number): Promise<void> {
  const endMs = performance.now() + forMs
  while (performance.now() < endMs) {
    await dragChart(page, 1)
    for (const name of TABS)
      await page
        .getByRole('button', { name: new RegExp(`^${name}`, 'i') })
        .first()
        .click()
    await dragChart(page, -1)
  }
}

async function dragChart(page: Page, direction: 1 | -1): Promise<void> {
  const box = await page.locator('.drawing').boundingBox()
  if (box === null) return
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 1; step <= DRAG_STEPS; step++) {
    await page.mouse.move(x + (direction * step * box.width) / 3 / DRAG_STEPS, y)
    await page.waitForTimeout(DRAG_STEP_MS)
  }
  await page.mouse.up()
}
