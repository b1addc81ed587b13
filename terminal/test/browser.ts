// A Chromium for tests of the page, and what every one of them looks at: the policy of the page.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PROGRAM = process.env.CHROMIUM || '/usr/bin/chromium'
/** A busy machine takes its time. */
export const PATIENCE_MS = 30_000

/** Starts Debian's Chromium without a window. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] })

export type Opened = Readonly<{
  page: Page
  /** What the browser refused, and errors that nobody caught, from the first line on. */
  faults: readonly string[]
  close: () => Promise<void>
}>

/** Opens `url` with storage of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('console', (message) => {
    if (isRefusal(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(url)
  const close = async () => {
    // What a test answers in the place of the venue may be on its way.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, faults, close }
}

/** Chromium says so of scripts and styles, connections, and text that would become markup. */
const isRefusal = (text: string) =>
  /Content Security Policy|Content-Security-Policy|Trusted(HTML|Script|Types)/i.test(text)
