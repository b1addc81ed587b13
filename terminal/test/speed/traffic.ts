// Counts the requests of an open page to the API: while it loads, and afterwards.
import type { Browser, Page } from 'playwright-core'
import type { Traffic } from './figures.ts'
import { type LoadWindow, watchLoad } from './load-probe.ts'

const MINUTE_MS = 60_000
/** The chart and signing code are loaded after the book. */
const SETTLING_MS = 4_000
const CHART_FILE = /\/(chart-colors|price-chart)-[^/]+\.js$/

/** `askedMs`: Unix milliseconds. */
type LoadedResource = { url: string; bytes: number; askedMs: number }

/** Loads the page and keeps it open for a number of seconds. */
export async function countTraffic(
  browser: Browser,
  url: string,
  seconds: number,
): Promise<Traffic> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const counter = watchTraffic(page)
    await page.addInitScript(watchLoad)
    await page.goto(url)
    await page.locator('.bids .price').nth(9).filter({ hasText: /\d/ }).waitFor()
    await page.waitForFunction(() => (globalThis as unknown as LoadWindow).openvenueLoad.madeMs > 0)
    await page.waitForTimeout(SETTLING_MS)
    const before = counter.asked()
    await page.waitForTimeout(seconds * 1000)
    const requestsPerMinute = ((counter.asked() - before) * MINUTE_MS) / (seconds * 1000)
    const bookAtMs = await page.evaluate(
      () => performance.timeOrigin + (globalThis as unknown as LoadWindow).openvenueLoad.madeMs,
    )
    return { ...(await counter.figures(bookAtMs)), requestsPerMinute }
  } finally {
    await context.close()
  }
}

function watchTraffic(page: Page) {
  const [loaded, channels]: [LoadedResource[], Set<string>] = [[], new Set()]
  const reading: Promise<unknown>[] = []
  let [asked, sockets, messages] = [0, 0, 0]
  let [hasBook, hasChart] = [false, false]
  const requestsBefore: string[] = []
  page.on('request', (request) => {
    asked += 1
    // A slow machine requests the chart before the book has arrived.
    hasChart ||= CHART_FILE.test(request.url())
    // The worker takes from the cache what the page has loaded ahead.
    if (!hasBook && !hasChart && !requestsBefore.includes(request.url()))
      requestsBefore.push(request.url())
  })
  page.on('requestfinished', (request) => {
    const one = { url: request.url(), bytes: 0, askedMs: request.timing().startTime }
    loaded.push(one)
    const read = async () => {
      one.bytes = (await request.sizes()).responseBodySize
    }
    // Responses from the cache have no size.
    reading.push(read().catch(() => {}))
  })
  page.on('websocket', (socket) => {
    sockets += 1
    socket.on('framesent', ({ payload }) => {
      if (!hasBook) messages += 1
      for (const channel of channelsOf(String(payload))) channels.add(channel)
    })
    socket.on('framereceived', ({ payload }) => {
      hasBook ||= String(payload).slice(0, 200).includes('"orderbook')
    })
  })
  const sum = (ending: string, all: readonly LoadedResource[]) => {
    const bytes = new Map<string, number>()
    for (const one of all)
      if (one.url.endsWith(ending)) bytes.set(one.url, Math.max(bytes.get(one.url) ?? 0, one.bytes))
    return [...bytes.values()].reduce((total, each) => total + each, 0)
  }
  return {
    asked: () => asked,
    /** `bookAtMs`: when the book appeared. Unix milliseconds. */
    figures: async (bookAtMs: number) => {
      await Promise.all(reading)
      const first = loaded.filter(({ askedMs }) => askedMs < bookAtMs)
      return {
        requestsBefore,
        messagesBefore: messages,
        ...{ scriptBytesBefore: sum('.js', first), scriptBytes: sum('.js', loaded) },
        ...{ styleBytes: sum('.css', loaded), channels: [...channels], sockets },
        scripts: loaded.flatMap(({ url }) => /[^/]+\.js$/.exec(url)?.[0] ?? []),
      }
    },
  }
}

function channelsOf(text: string): readonly string[] {
  const { op, data } = JSON.parse(text) as { op: string; data?: readonly unknown[] }
  if (op !== 'subscribe' || data === undefined) return []
  return data.map((one) =>
    typeof one === 'string' ? one : (one as Readonly<{ channel: string }>).channel,
  )
}
