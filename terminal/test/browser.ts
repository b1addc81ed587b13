// Chromium for tests of the page, shared by a run or one per file. Pages opened here report
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
/** Generous, for a busy machine. */
export const PATIENCE_MS = 30_000

/** Starts a headless Chromium that test files reach at its WebSocket endpoint on loopback. */
export const startBrowserServer = (): Promise<BrowserServer> =>
  chromium.launchServer({ ...OPTIONS, host: '127.0.0.1', port: 0 })

/**
 * Connects to the Chromium of the run (BROWSER_SERVER), or starts one. Closing it ends a connection
 * with its contexts, or the started Chromium.
 */
export const startBrowser = (): Promise<Browser> => {
  const endpoint = process.env.BROWSER_SERVER
  return endpoint ? chromium.connect(endpoint) : startOwnBrowser()
}

/** Starts a headless Chromium that no other file uses. */
export const startOwnBrowser = (): Promise<Browser> => chromium.launch(OPTIONS)

/** Returns the text of a saved file. A shared Chromium provides only its stream. */
export const downloadText = async (download: Download): Promise<string> =>
  text(await download.createReadStream())

export type OpenPage = Readonly<{
  page: Page
  /** Requests that the browser blocked, and uncaught errors, since the page was opened. */
  faults: readonly string[]
  close: () => Promise<void>
}>

/** Opens `url` in a new context. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext(options)
  await context.addInitScript(followSystem)
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  page.on('console', (message) => {
    if (isRefusal(message.text())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(url)
  const close = async () => {
    // A response that a test intercepts may be pending.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  }
  return { page, faults, close }
}

/** Makes a page without settings follow `colorScheme`: its own default is dark. */
function followSystem(): void {
  try {
    localStorage['openvenue.settings'] ??= JSON.stringify({ theme: 'system' })
  } catch {
    // A blank page has no storage.
  }
}

/** Chromium's messages about blocked scripts, styles, connections and markup. */
const isRefusal = (text: string) =>
  /Content Security Policy|Content-Security-Policy|Trusted(HTML|Script|Types)/i.test(text)
