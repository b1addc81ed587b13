// Takes a picture of each unusual state of the page, set up as in the browser tests, and writes the
// page that shows them all.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { PageStates } from '../test/page-states.ts'
import { untilBook } from '../test/shown-market.ts'

const WIDE = { width: 1280, height: 800 }
const KB = 1000
const BYTES_MAX = 100 * KB
/** Number of attempts: a temporary state may end before its picture is taken. */
const TRIES = 5

type Shot = Readonly<{
  name: string
  title: string
  text: string
  begin: (states: PageStates) => Promise<unknown>
  end?: (states: PageStates) => Promise<unknown>
  /** A text that is visible during the state. */
  sign: string
}>

const SHOTS: readonly Shot[] = [
  {
    name: 'connecting',
    title: 'Connecting',
    text: 'No answer yet; no prices are shown.',
    begin: (states) => states.connecting({ viewport: WIDE, colorScheme: 'dark' }),
    sign: 'Connecting to the venue',
  },
  {
    name: 'away',
    title: 'The venue does not respond',
    text: 'On a first visit without a known chain node: the page reports it and retries.',
    begin: (states) => states.away(),
    end: async (states) => {
      await states.online()
      await untilBook(states.page)
      await states.fund()
      await states.buy('2')
      await states.table('positions', 1)
    },
    sign: 'The venue does not respond',
  },
  {
    name: 'pending',
    title: 'A pending order',
    text: 'The venue has promised a block; the order is not on the chain yet.',
    begin: async (states) => {
      await states.pending()
      states.holdChain(true)
    },
    end: async (states) => {
      states.holdChain(false)
      await states.online()
      await states.table('orders', 1)
    },
    sign: 'Submitted: buy 0.2 ETH-PERP',
  },
  {
    name: 'reorganised',
    title: 'A reorganisation while an order was pending',
    text: 'The order is in the book again; the status page counts one reorganisation.',
    begin: async (states) => {
      await states.pending()
      await states.reorganise()
      await states.table('orders', 2)
      await states.go('Status')
      await states.page.getByText('1 since the page was opened').waitFor()
    },
    end: (states) => states.go('Trade'),
    sign: '1 since the page was opened',
  },
  {
    name: 'stale',
    title: 'Stale',
    text: 'No data for two seconds: prices are grey, and placing needs confirmation.',
    begin: (states) => states.stale(),
    end: (states) => states.online(),
    sign: 'Live data delayed',
  },
  {
    name: 'catching-up',
    title: 'Catching up after a gap',
    text: 'Reconnected: missed data is requested, and prices stay grey until it arrives.',
    begin: async (states) => {
      await states.lost()
      await states.catchingUp()
    },
    end: (states) => states.online(),
    sign: 'Reconnected: catching up',
  },
  {
    name: 'chain',
    title: 'Chain only',
    text: 'The API is down: book, orders, positions and balances come from the contracts at the block shown; the wallet cancels, closes and withdraws.',
    begin: (states) => states.byTheChain(),
    end: (states) => states.online(),
    sign: 'uses the chain only',
  },
  {
    name: 'halted',
    title: 'A halted market',
    text: 'The guardian has halted it: reduce-only orders and cancels are accepted.',
    begin: async (states) => {
      await states.close()
      await states.halt(true)
    },
    end: (states) => states.halt(false),
    sign: 'ETH-PERP is halted',
  },
  {
    name: 'reduce-only',
    title: 'Reduce-only',
    text: 'With a position the form turns reduce-only on and shows the reason.',
    begin: async (states) => {
      await states.buy('2')
      await states.halt(true)
      await states.page.getByText(/so reduce-only is on/).waitFor()
    },
    end: (states) => states.halt(false),
    sign: 'so reduce-only is on',
  },
  {
    name: 'liquidation-near',
    title: 'A liquidation is near',
    text: 'Maintenance margin is more than four fifths of equity.',
    begin: (states) => states.nearLiquidation(),
    end: (states) => states.farFromLiquidation(),
    sign: 'Liquidation is near',
  },
  {
    name: 'rate-limited',
    title: 'Rate limited',
    text: 'The venue accepts no more orders of the account for now: the button counts down.',
    begin: (states) => states.rateLimited(),
    sign: 'Retry in',
  },
  {
    name: 'not-live',
    title: 'Trading is not live yet',
    text: 'The venue is up before trading is live: view, deposit, withdraw, cancel.',
    begin: (states) => states.notLive(),
    sign: 'Trading is not live on this network yet',
  },
]

await takeStates(join(import.meta.dirname, '../../docs/pictures/states'))

/** Takes all pictures into a folder. */
async function takeStates(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const states = await PageStates.start(TcpProxy.open)
  try {
    for (const shot of SHOTS) {
      await takeOne(states, shot, folder)
      process.stdout.write(`docs/pictures/states/${shot.name}.webp\n`)
    }
  } finally {
    await states.stop()
  }
  writeFileSync(join(folder, 'README.md'), pageOf(SHOTS))
}

/** Sets up a state again if it ended before its picture was taken. */
async function takeOne(states: PageStates, shot: Shot, folder: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await shot.begin(states)
    const isThere = () => states.page.getByText(shot.sign).first().isVisible()
    const wasThere = await isThere()
    const picture = await takeSmall(states.page)
    const isTaken = wasThere && (await isThere())
    await shot.end?.(states)
    if (!isTaken) continue
    if (picture.length > BYTES_MAX)
      process.stdout.write(`${shot.name}: ${Math.ceil(picture.length / KB)} kB\n`)
    writeFileSync(join(folder, `${shot.name}.webp`), picture)
    return
  }
  throw new Error(`${shot.name} was over each time before its picture was taken`)
}

/** A lossless picture of this page is twice as large as allowed. */
async function takeSmall(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  return Buffer.from(data, 'base64')
}

function pageOf(shots: readonly Shot[]): string {
  return `# States of the page

\`terminal/test/page-states.ts\`, which the browser tests use too, sets up each state by its real cause:
the network fails, the guardian halts a market, the price falls, the chain reorganises.
\`npx node terminal/scripts/states.browser.ts\` takes the pictures again.

${shots.map(({ name, title, text }) => `## ${title}\n\n${text}\n\n![${title}](${name}.webp)\n`).join('\n')}`
}
