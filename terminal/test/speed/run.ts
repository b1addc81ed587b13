// Measures the page at a URL in Chromium and prints the results as JSON:
// node terminal/test/speed/run.ts '{"url": …, "loads": 9, "seconds": 30, "minutes": 3}'
import { startOwnBrowser } from '../browser.ts'
import { serveBarePage } from './bare-page.ts'
import type { MeasureOptions, TerminalFigures } from './figures.ts'
import { measureOpen } from './frames.ts'
import { measureHeap } from './heap.ts'
import { measureLoads } from './loads.ts'
import { countTraffic } from './traffic.ts'
import { serveWatchedPage } from './watched-page.ts'

async function measure(asked: MeasureOptions): Promise<TerminalFigures> {
  const { url, market, loads: count, seconds, minutes } = asked
  const browser = await startOwnBrowser()
  const bare = await serveBarePage(url, market)
  const watched = await serveWatchedPage(url)
  try {
    const query = `/?market=${market}`
    const page = `${url}${query}`
    const open = `${watched.url}${query}`
    const [loads = [], plain = []] = await measureLoads(browser, [page, bare.url], count)
    return {
      ...{ asked, loads, bare: plain },
      traffic: await countTraffic(browser, page, seconds),
      open: await measureOpen(browser, open, seconds),
      heap: await measureHeap(browser, open, minutes),
    }
  } finally {
    bare.close()
    watched.close()
    await browser.close()
  }
}

const figures = await measure(JSON.parse(process.argv[2] ?? '') as MeasureOptions)
process.stdout.write(`${JSON.stringify(figures)}\n`)
