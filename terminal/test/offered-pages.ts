// Sorts the list of markets by each of its columns, and checks the faucet on other networks.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openPage } from './browser.ts'
import { untilRight } from './polling.ts'
import { staticHost } from './static-host.ts'

type Market = Readonly<{
  instrument_name: string
  mark_price: string | null
  volume_24h: string
  open_interest: string | null
  funding_rate: string | null
}>
/** Each column by its header; a missing number counts as zero. */
const COLUMNS: readonly (readonly [head: string, rank: (market: Market) => number])[] = [
  ['Mark', (market) => Number(market.mark_price ?? 0)],
  ['24h volume', (market) => Number(market.volume_24h)],
  ['Open interest', (market) => Number(market.open_interest ?? 0)],
  ['Funding, 1h', (market) => Number(market.funding_rate ?? 0)],
]
const byName = (a: Market, b: Market) => (a.instrument_name < b.instrument_name ? -1 : 1)

/** Clicks each header of the list twice, and compares the rows with REST. */
export async function sortMarkets(page: Page, apiUrl: string): Promise<void> {
  const list = page.locator('main.sheet .list')
  const heads = list.locator('thead th:has(button)')
  await page.locator('main.sheet').getByPlaceholder('Find').fill('')
  const isSorted = async (head: string, direction: 'ascending' | 'descending') => {
    const sorts = await heads.evaluateAll((all) =>
      all.map((one) => [
        one.querySelector('button')?.firstChild?.textContent?.trim(),
        one.getAttribute('aria-sort'),
      ]),
    )
    for (const [name, sort] of sorts)
      assert.equal(sort, name === head ? direction : 'none', `${name}`)
  }
  const untilOrder = async (of: (markets: readonly Market[]) => readonly Market[]) => {
    // Numbers change, and two markets may swap places meanwhile.
    const compare = async () => {
      const markets = (await (await fetch(`${apiUrl}/markets`)).json()) as readonly Market[]
      const wanted = of(markets).map(({ instrument_name: name }) => name)
      return { wanted, shown: await list.locator('tbody a').allTextContents() }
    }
    await untilRight(
      'the markets are in their order',
      compare,
      ({ wanted, shown }) => shown.join() === wanted.join(),
    )
  }
  const click = (head: string) => heads.getByRole('button', { name: head, exact: true }).click()
  await click('Market')
  await isSorted('Market', 'ascending')
  await untilOrder((markets) => markets.toSorted(byName))
  await click('Market')
  await isSorted('Market', 'descending')
  await untilOrder((markets) => markets.toSorted(byName).reverse())
  for (const [head, rank] of COLUMNS)
    for (const [direction, sign] of [
      ['descending', -1],
      ['ascending', 1],
    ] as const) {
      await click(head)
      await isSorted(head, direction)
      await untilOrder((markets) =>
        markets.toSorted((a, b) => sign * (rank(a) - rank(b)) || byName(a, b)),
      )
    }
  // REST has no daily change of a market, so only the order of the column is checked.
  await click('24h')
  await isSorted('24h', 'descending')
  await page.waitForFunction(() => {
    const cells = [...document.querySelectorAll('.list tbody td:nth-child(3)')]
    const numbers = cells.map(({ textContent }) => Number.parseFloat(textContent ?? '') || 0)
    return numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? 0))
  })
}

const FAUCET = 'https://faucet.example.org/usdc?network=test'

/** Opens the faucet page of a venue on a network that is not a devnet. */
export async function seeFaucets(browser: Browser, apiUrl: string): Promise<void> {
  for (const faucetUrl of [FAUCET, undefined]) {
    const { url, server } = await staticHost({ apiUrl, ...(faucetUrl && { faucetUrl }) })
    const { page, faults, close } = await openPage(browser, 'about:blank')
    try {
      const network = faucetUrl === undefined ? 'mainnet' : 'testnet'
      await page.route('**/info', async (route) => {
        const answer = await route.fetch()
        const info = (await answer.json()) as { network: object }
        await route.fulfill({
          response: answer,
          json: { ...info, network: { ...info.network, name: network } },
        })
      })
      await page.goto(`${url}/?page=faucet`)
      const sheet = page.locator('main.sheet')
      if (faucetUrl === undefined) await hasNone(page)
      else {
        await sheet.getByText(/^Test money of testnet comes/).waitFor()
        const link = sheet.getByRole('link', { name: 'its faucet at faucet.example.org' })
        assert.equal(await link.getAttribute('href'), FAUCET)
        assert.equal(await link.getAttribute('target'), '_blank')
        assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
        await page.locator('.page-links a', { hasText: 'Faucet' }).waitFor()
      }
      assert.deepEqual(await sheet.getByRole('button').allTextContents(), [], 'nothing is given')
      assert.deepEqual(faults, [])
    } finally {
      await close()
      server.close()
      server.closeAllConnections()
    }
  }
}

/** The page is not linked, and its URL shows that there is no faucet. */
async function hasNone(page: Page): Promise<void> {
  const sheet = page.locator('main.sheet')
  await sheet.getByText('mainnet has no faucet here.').waitFor()
  assert.equal(await sheet.getByRole('link').count(), 0)
  const pages = await page.locator('.page-links a').allTextContents()
  assert.ok(pages.includes('Markets') && !pages.includes('Faucet'), pages.join())
}
