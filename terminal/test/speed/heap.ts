// Measures whether an open page grows: its heap, that of its worker and its tree, from minute to
// minute, with all garbage collected.
import type { Browser, Page } from 'playwright-core'
import type { HeapSample } from './figures.ts'
import type { Framed } from './frame-probe.ts'
import { openWatched } from './frames.ts'
import { type HeapOf, openHeaps } from './heap-usage.ts'

const SAMPLE_MS = 10_000
const MINUTE_MS = 60_000
/** Until code is compiled and lists are full. */
const WARM_UP_MS = 60_000

/** Has the page open for so many minutes after the first one. */
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

async function sample(page: Page, heapOf: HeapOf): Promise<Omit<HeapSample, 'ms'>> {
  // What the probe itself keeps is no growth of the page.
  const messages = await page.evaluate(() => {
    const { openvenueFrames: figures } = globalThis as unknown as Framed
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
