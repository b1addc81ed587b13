// Takes a picture of each state of the page that is not the usual one, as the browser tests bring
// it about, and writes the page that shows them all.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { PageStates } from '../test/page-states.ts'
import { untilBook } from '../test/shown-market.ts'

const WIDE = { width: 1280, height: 800 }
const KB = 1000
const BYTES_MAX = 100 * KB
/** Somebody may be slower than what passes by itself. */
const TRIES = 5

type Shot = Readonly<{
  name: string
  title: string
  text: string
  begin: (states: PageStates) => Promise<unknown>
  end?: (states: PageStates) => Promise<unknown>
  /** Is there as long as the state is. */
  sign: string
}>

const SHOTS: readonly Shot[] = [
  {
    name: 'connecting',
    title: 'Connecting',
    text: 'Nobody has answered yet; nothing is shown as if it were a price.',
    begin: (states) => states.connecting({ viewport: WIDE, colorScheme: 'dark' }),
    sign: 'Connecting to the venue',
  },
  {
    name: 'away',
    title: 'The venue does not answer',
    text: 'On a first visit, with no node of the chain known: the page says so, and tries again.',
    begin: (states) => states.away(),
    end: async (states) => {
      await states.online()
      await untilBook(states.page)
      await states.fund()
      await states.buy('2')
      await states.table('positions', 1)
    },
    sign: 'The venue does not answer',
  },
  {
    name: 'pending',
    title: 'An order that is pending',
    text: 'The venue has promised a block; the chain has said nothing yet.',
    begin: async (states) => {
      await states.pending()
      states.holdChain(true)
    },
    end: async (states) => {
      states.holdChain(false)
      await states.online()
      await states.table('orders', 1)
    },
    sign: 'Pending: buy 0.2 ETH-PERP',
  },
  {
    name: 'reorganised',
    title: 'Blocks taken back while an order was pending',
    text: 'The order is in the book again, the status page counts one reorganisation.',
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
    text: 'Nothing new has come for two seconds: prices are grey, and the form asks before it places.',
    begin: (states) => states.stale(),
    end: (states) => states.online(),
    sign: 'Nothing new has come',
  },
  {
    name: 'catching-up',
    title: 'Catching up after a gap',
    text: 'Connected again; what was missed is asked for, and prices stay grey until it is there.',
    begin: async (states) => {
      await states.lost()
      await states.catchingUp()
    },
    end: (states) => states.online(),
    sign: 'what was missed is on its way',
  },
  {
    name: 'chain',
    title: 'By the chain alone',
    text: 'The API is away: book, orders, positions and money come from the contracts at the block that is named; the wallet itself cancels, closes and withdraws.',
    begin: (states) => states.byTheChain(),
    end: (states) => states.online(),
    sign: 'goes on by the chain alone',
  },
  {
    name: 'halted',
    title: 'A halted market',
    text: 'The guardian has halted it: what reduces a position is taken, and cancels.',
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
    text: 'With a position the form turns reduce-only on by itself, and says why.',
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
    text: 'The maintenance margin takes more than four fifths of the equity.',
    begin: (states) => states.nearLiquidation(),
    end: (states) => states.farFromLiquidation(),
    sign: 'Liquidation is near',
  },
  {
    name: 'rate-limited',
    title: 'Rate limited',
    text: 'The venue takes no more orders of the account for now: the button counts down.',
    begin: (states) => states.rateLimited(),
    sign: 'Again in',
  },
  {
    name: 'not-live',
    title: 'Trading is not live yet',
    text: 'The venue is there before its trading is: look around, deposit, withdraw, cancel.',
    begin: (states) => states.notLive(),
    sign: 'Trading is not live on this network yet',
  },
]

await takeStates(join(import.meta.dirname, '../../docs/pictures/states'))

/** Takes all of them into a folder. */
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

/** A state that was over before its picture was taken is brought about again. */
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

/** A lossless picture of this page is twice as large as may be. */
async function takeSmall(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  await session.detach()
  return Buffer.from(data, 'base64')
}

function pageOf(shots: readonly Shot[]): string {
  return `# States of the page

Each is brought about for real by \`terminal/test/page-states.ts\`, which the browser tests use too:
the network fails, the guardian halts a market, the price falls, the chain takes blocks back.
\`npx node terminal/scripts/states.browser.ts\` takes them anew.

${shots.map(({ name, title, text }) => `## ${title}\n\n${text}\n\n![${title}](${name}.webp)\n`).join('\n')}`
}
