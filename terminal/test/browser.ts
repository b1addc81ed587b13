// Chromium for tests of the page: one that a run shares, or one per file. Pages opened here report
// violations of their content security policy.
import { text } from 'node:stream/consumers'
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
  type Download,
  type Page,
} from 'playwright-core'

const PROGRAM = process.env.CHROMIUM || '/usr/bin/chromium'
const OPTIONS = { executablePath: PROGRAM, args: ['--no-sandbox', '--disable-gpu'] }
/** A busy machine takes its time. */
export const PATIENCE_MS = 30_000

/** Starts a headless Chromium that test files reach at its WebSocket endpoint, on loopback. */
export const startBrowserServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ ...OPTIONS, host: '127.0.0.1', port: 0 })

/**
 * Connects to the Chromium of the run (BROWSER_SERVER), or starts one. Closing it ends a connection
 * together with the contexts opened over it, and ends a Chromium of its own.
 */
export const startBrowser = (): Promise<Browser> => {
  const endpoint = process.env.BROWSER_SERVER
  return endpoint ? chromium.connect(endpoint) : startOwnBrowser()
}

/** Starts a headless Chromium that no other file uses. */
export const startOwnBrowser = (): Promise<Browser> => chromium.launch(OPTIONS)

/** Returns the text of a saved file. Only its stream is available from a Chromium of the run. */
export const downloadText = async (download: Download): Promise<string> =>
  text(await download.createReadStream())

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
