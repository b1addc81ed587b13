// Reads the displayed market, and the same data from REST at the same block.
import type { Page } from 'playwright-core'
import { untilRight } from './polling.ts'

/** Compared rows per side: a price and an amount each. */
const ROWS = 10
const TRUST = /block ([\d,]+)/

/** Shows another market, as a user does: by its name in the list that opens in the header. */
export async function chooseMarket(page: Page, name: string): Promise<void> {
  await page.locator('.market-name').click()
  const menu = page.locator('.market-menu')
  await menu.getByRole('searchbox').fill(name)
  await menu.getByRole('button', { name, exact: true }).click()
  await menu.waitFor({ state: 'detached' })
}

/** Opens a page by its link, which is in a list unless the header has room. */
export async function goTo(page: Page, name: string): Promise<void> {
  const link = page.locator('.page-links').getByRole('link', { name, exact: true })
  if (!(await link.isVisible())) await page.locator('.menu').click()
  await link.click()
}

export type PageBook = Readonly<{
  market: string
  block: number
  /** Price and amount of the best rows, bids first, each best first. */
  numbers: readonly string[]
}>

/** Waits until the page shows a complete book and the block of its check. */
export const untilBook = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () =>
      document.querySelectorAll('.bids tr:not(.vacant)').length >= 10 &&
      document.querySelectorAll('.asks tr:not(.vacant)').length >= 10 &&
      /block [\d,]+/.test(document.querySelector('.trust')?.textContent ?? ''),
  )

/** Returns all values at one moment, as displayed, without commas. */
export async function readBook(page: Page): Promise<PageBook> {
  const seen = await page.evaluate((rows) => {
    const cells = (side: string) =>
      [...document.querySelectorAll(`.${side} tr`)]
        .slice(0, rows)
        .flatMap((row) => [...row.querySelectorAll('td')].slice(0, 2))
        .map((cell) =>
          [...cell.childNodes]
            // Skips the mark of own orders, which precedes the price.
            .filter((node) => !(node instanceof Element && node.matches('.own')))
            .map((node) => node.textContent ?? '')
            .join('')
            .trim(),
        )
    return {
      market: document.querySelector('.market-name')?.textContent ?? '',
      trust: document.querySelector('.trust')?.textContent ?? '',
      cells: [...cells('bids'), ...cells('asks')],
    }
  }, ROWS)
  const [, block = ''] = TRUST.exec(seen.trust) ?? []
  const { market, cells } = seen
  return { market, block: Number(block.replaceAll(',', '')), numbers: cells.map(plain) }
}

type RestLevel = Readonly<{ price: string; amount: string }>
type RestBook = Readonly<{ bids: readonly RestLevel[]; asks: readonly RestLevel[] }>
type RestMarket = Readonly<{
  instrument_name: string
  quote_decimals: number
  base_decimals: number
}>

/** Returns the same numbers from REST, and their block. */
async function askBook(apiUrl: string, market: RestMarket): Promise<PageBook> {
  const answer = await fetch(`${apiUrl}/orderbook?instrument_name=${market.instrument_name}`)
  const { bids, asks } = (await answer.json()) as RestBook
  const numbers = [bids, asks].flatMap((side) =>
    side
      .slice(0, ROWS)
      .flatMap(({ price, amount }) => [
        fromRaw(price, market.quote_decimals),
        fromRaw(amount, market.base_decimals),
      ]),
  )
  const block = Number(answer.headers.get('x-block-number'))
  return { market: market.instrument_name, block, numbers }
}

async function askMarket(apiUrl: string, name: string): Promise<RestMarket> {
  const markets = (await (await fetch(`${apiUrl}/markets`)).json()) as readonly RestMarket[]
  const found = markets.find(({ instrument_name }) => instrument_name === name)
  if (found === undefined) throw new Error(`REST has no market ${name}`)
  return found
}

/** Returns the decimal text of a raw integer. */
function fromRaw(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return plain(`${digits.slice(0, point)}.${digits.slice(point)}`)
}

/** Returns the values of the page and of REST once both are at the same block. */
export async function readBoth(
  page: Page,
  apiUrl: string,
): Promise<Readonly<{ shown: PageBook; asked: PageBook }>> {
  const market = await askMarket(apiUrl, (await readBook(page)).market)
  const compare = async () => {
    const before = await readBook(page)
    const asked = await askBook(apiUrl, market)
    const after = await readBook(page)
    return { asked, shown: after.block === asked.block ? after : before }
  }
  return untilRight(
    'the page and REST are at one block',
    compare,
    ({ shown, asked }) => shown.block === asked.block,
  )
}

/** Normalizes a number: no commas, and no trailing zeros of a fraction. */
const plain = (text: string) =>
  text
    .replaceAll(',', '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
