// Measures whether an open page grows: its heap, that of its worker and its tree, minute by minute,
// after garbage collection.
import type { Browser, Page } from 'playwright-core'
import type { HeapSample } from './figures.ts'
import type { FrameWindow } from './frame-probe.ts'
import { openWatched } from './frames.ts'
import { type MeasureHeap, openHeaps } from './heap-usage.ts'

const SAMPLE_MS = 10_000
const MINUTE_MS = 60_000
/** Time until code is compiled and lists are full. */
const WARM_UP_MS = 60_000

/** Keeps the page open for a number of minutes after the first one. */
export async function measureHeap(
  browser: Browser,
  url: string,
  minutes: number,
): Promise<readonly HeapSample[]> {
  const page = await openWatched(browser, url)
  try {
    await page.waitForTimeout(WARM_UP_MS)
    const beganMs = performance.now()
    const heaps = await openHeaps(page)
    const samples: HeapSample[] = []
    while (performance.now() - beganMs < minutes * MINUTE_MS) {
      samples.push({ ms: performance.now() - beganMs, ...(await sample(page, heaps)) })
      await page.waitForTimeout(SAMPLE_MS)
    }
    return samples
  } finally {
    await page.context().close()
  }
}

async function sample(page: Page, heapOf: MeasureHeap): Promise<Omit<HeapSample, 'ms'>> {
  // Clears the probe's own records, so that they do not count as growth.
  const messages = await page.evaluate(() => {
    const { openvenueFrames: figures } = globalThis as unknown as FrameWindow
    const { bookMessages } = figures
    Object.assign(figures, { bookMs: [], tradesMs: [], longTasksMs: [], bookMessages: 0 })
    return bookMessages
  })
  return {
    messages,
    page: await heapOf('page'),
    worker: await heapOf('worker'),
    nodes: await page.evaluate(() => document.querySelectorAll('*').length),
  }
}
