// The page while the venue's API is down: it switches to the chain, shows the numbers of the
// contracts, and switches back. A gap in the connection is closed without showing wrong numbers.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import type { TestVenue } from '@openvenue/e2e/venue'
import { Rest, toSteps } from 'openvenue'
import { testMoney } from 'openvenue/devnet'
import { approveCall, depositCall, loadVenue, type SigningVenue } from 'openvenue/signing'
import type { Browser, Page } from 'playwright-core'
import { createPublicClient, encodeFunctionData, type Hex, http, parseAbi } from 'viem'
import { TcpProxy } from '../../drills/src/net/tcp-proxy.ts'
import { engineAbi } from '../src/features/chain/worker/venue-abi.ts'
import { type OpenPage, openPage, PATIENCE_MS, startBrowser } from './browser.ts'
import { askLens } from './chain-books.ts'
import { useCommonVenue } from './common-venue.ts'
import { chooseMarket, readBook, readBoth, untilBook } from './shown-market.ts'
import { staticHost } from './static-host.ts'
import { WALLET, WalletProgram } from './test-wallet.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 120_000
/** The chain is used after eight seconds; sockets reconnect within half a minute. */
const AWAY_MS_MAX = 90_000
const BALANCE = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

describe('the page without the API', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let proxy: TcpProxy
  /** URL at which the page expects the API. */
  let apiUrl: string
  let browser: Browser
  let opened: OpenPage
  const loaded: string[] = []
  before(async () => {
    venue = await use.start()
    proxy = await TcpProxy.open(Number(new URL(venue.devnet.apiUrl).port))
    apiUrl = `http://127.0.0.1:${proxy.port}`
    browser = await startBrowser()
    opened = await openPage(browser, `${apiUrl}/?market=ETH-PERP`)
    opened.page.context().on('requestfinished', (request) => void loaded.push(request.url()))
    await untilBook(opened.page)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await proxy?.close()
    await use.end()
  })

  const trust = (page: Page, text: RegExp, timeout = PATIENCE_MS) =>
    page.locator('.trust').filter({ hasText: text }).waitFor({ timeout })
  const tab = (page: Page, text: string) => page.locator('.tabs button').filter({ hasText: text })
  const wallet = (page: Page) => page.locator('.badge span[title]').first().getAttribute('title')

  test('the page reports that it catches up after a gap, then shows the data of REST', async () => {
    const { page } = opened
    proxy.fail({ mode: 'begin' })
    proxy.drop()
    await trust(page, /catching up/)
    // Prices are grey until then.
    await page.locator('.shell.stale').waitFor()
    proxy.restore()
    await trust(page, /exact/)
    const { shown, asked } = await readBoth(page, venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
  })

  test('an account opens a position and an order while the API is up', async () => {
    const { page } = opened
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    const form = page.locator('.order')
    await page.locator('.bids tr').nth(15).click()
    await form.getByLabel(/^Size/).fill('0.2')
    await form.getByLabel(/^Size/).press('Enter')
    await tab(page, 'orders (1)').waitFor()
    await form.getByRole('button', { name: 'Market', exact: true }).click()
    await form.getByLabel(/^Size/).fill('0.1')
    await form.getByLabel(/^Size/).press('Enter')
    await tab(page, 'positions (1)').waitFor()
    // The API also hosts the page: the code for chain mode is loaded some seconds later.
    for (const part of ['chain-mode', 'account-actions'])
      await until(
        () => `${part} is loaded: ${loaded}`,
        () => loaded.some((url) => url.includes(`/${part}-`)),
        PATIENCE_MS,
      )
  })

  test('without the API, the page shows the book of the contracts at its block', async () => {
    const { page } = opened
    proxy.fail({ mode: 'cut' })
    await trust(page, /chain · block/, AWAY_MS_MAX)
    await page.getByText(/uses the chain only/).waitFor()
    // The display is no longer stale.
    await page.locator('.shell.stale').waitFor({ state: 'detached' })
    const shown = await readBook(page)
    assert.deepEqual(shown, await askLens(venue, shown.block))
    assert.ok(shown.numbers.length >= 20, `${shown.numbers.length} numbers`)
    await tab(page, 'positions (1)').waitFor()
    await tab(page, 'orders (1)').waitFor()
    assert.ok(await page.locator('.place').isDisabled(), 'nothing relays an order')
    assert.equal(await page.locator('.order-stale').count(), 0, 'nor asks whether it is meant')
  })

  test('without the API, wallet transactions cancel, close and withdraw', async () => {
    const { page } = opened
    await tab(page, 'orders').click()
    await page
      .locator('.bottom tbody')
      .getByRole('button', { name: /^cancel/ })
      .click()
    await tab(page, 'orders (0)').waitFor()
    await tab(page, 'positions').click()
    await page
      .locator('.bottom tbody')
      .getByRole('button', { name: /^close/ })
      .click()
    await page.getByText(/reduce-only market order, max\. slippage 3 %/).waitFor()
    await page.getByRole('button', { name: 'Close 1 position' }).click()
    await tab(page, 'positions (0)').waitFor()
    const before = await walletBalance()
    const account = page.locator('.account')
    await account.getByText('Deposit or withdraw').click()
    await account.getByLabel('Amount').fill('1,000')
    await account.getByRole('button', { name: 'Withdraw' }).click()
    await account.getByText(/^Transactions/).click()
    const sent = account.locator('.steps li').filter({ hasText: 'Withdraw to your wallet' })
    await sent.filter({ hasText: '✓' }).waitFor()
    assert.equal((await walletBalance()) - before, 1_000_000_000n)
  })

  test('the page returns to the API without showing an older number in between', async () => {
    const { page, faults } = opened
    const { block } = await readBook(page)
    await page.evaluate(watchTexts)
    proxy.restore()
    await trust(page, /exact/, AWAY_MS_MAX)
    const { shown, asked } = await readBoth(page, venue.devnet.apiUrl)
    assert.deepEqual(shown, asked)
    const seen = await page.evaluate(() => (globalThis as unknown as TextWindow).seenTexts)
    assert.deepEqual(
      seen.tabs.filter((text) => /\((?!0\))/.test(text)),
      [],
      'no order or position that had ended',
    )
    assert.ok(
      seen.blocks.every((one) => one >= block),
      `blocks ${seen.blocks} come after ${block}`,
    )
    assert.deepEqual(faults, [], 'the policy of the page stops nothing of it')
  })

  test('the page starts in chain mode on a static host if the API never answers', async () => {
    proxy.fail({ mode: 'freeze' })
    proxy.drop()
    const host = await staticHost(configOf())
    const cold = await openPage(browser, `${host.url}/?market=ETH-PERP`)
    const { page } = cold
    await trust(page, /chain · block/, AWAY_MS_MAX)
    const shown = await readBook(page)
    assert.deepEqual(shown, await askLens(venue, shown.block))
    await chooseMarket(page, 'ETH-USDC')
    await page.waitForFunction(() => document.title.includes('ETH-USDC'))
    await cold.close()
    host.server.close()
  })

  test('the page rejects a node of another chain', async () => {
    const { accounts, spot, perps, lens, chainId } = venue.devnet.deployment
    const contracts = { accounts, spot, perps, lens }
    const words = `the node is on chain ${chainId}, the venue on chain 1`
    const config = { apiUrl, rpcUrl: venue.devnet.rpcUrl, chainId: 1, contracts }
    const host = await staticHost(config)
    const cold = await openPage(browser, host.url)
    await cold.page.getByText(words).waitFor({ timeout: AWAY_MS_MAX })
    assert.equal((await readBook(cold.page)).numbers.filter((text) => text !== '').length, 0)
    await cold.close()
    host.server.close()
  })

  test('a browser wallet works on a page whose API was never up, also after a reload', async () => {
    const wallet = new WalletProgram(venue.devnet.rpcUrl, venue.devnet.deployment.chainId)
    await tradeByChain(wallet, await loadVenue(new Rest({ url: venue.devnet.apiUrl })))
    const host = await staticHost(configOf())
    const cold = await openPage(browser, 'about:blank')
    const { page } = cold
    const agree = async (title: string, line: string) => {
      const dialog = page.locator('dialog.agree[open]')
      await dialog.getByRole('heading', { name: title }).waitFor()
      await dialog.getByText(line).first().waitFor()
      await dialog.getByRole('button', { name: 'Continue in the wallet' }).click()
    }
    await wallet.install(page.context())
    await page.goto(`${host.url}/?market=ETH-PERP`)
    await trust(page, /chain · block/, AWAY_MS_MAX)
    await page.getByRole('button', { name: `Connect ${WALLET.name}` }).click()
    await tab(page, 'orders (1)').waitFor()
    await tab(page, 'positions (1)').waitFor()
    await page.reload()
    await tab(page, 'orders (1)').waitFor({ timeout: AWAY_MS_MAX })
    await tab(page, 'orders').click()
    await page
      .locator('.bottom tbody')
      .getByRole('button', { name: /^cancel/ })
      .click()
    await agree('Cancel orders on chain from your wallet', 'ETH-PERP')
    await tab(page, 'orders (0)').waitFor()
    await tab(page, 'positions').click()
    await page
      .locator('.bottom tbody')
      .getByRole('button', { name: /^close/ })
      .click()
    await page.getByRole('button', { name: 'Close 1 position' }).click()
    await agree('Place an order on chain from your wallet', 'Price limit, in steps')
    await tab(page, 'positions (0)').waitFor()
    const account = page.locator('.account')
    await account.getByText('Deposit or withdraw').click()
    await account.getByLabel('Amount').fill('100')
    await account.getByRole('button', { name: 'Withdraw' }).click()
    await agree('Withdraw to your wallet', `Main, ${wallet.account.address}`)
    await account.getByText(/^Transactions/).click()
    const sent = account.locator('.steps li').filter({ hasText: 'Withdraw to your wallet' })
    await sent.filter({ hasText: '✓' }).waitFor()
    assert.equal(wallet.times('eth_requestAccounts'), 1, 'it is remembered')
    assert.deepEqual(cold.faults, [])
    proxy.restore()
    await trust(page, /exact/, AWAY_MS_MAX)
    await account.getByText('Deposit USDC as margin').waitFor()
    await cold.close()
    host.server.close()
  })

  const configOf = () => {
    const { accounts, spot, perps, lens, startBlock, chainId } = venue.devnet.deployment
    const contracts = { accounts, spot, perps, lens, fromBlock: startBlock }
    return { apiUrl, rpcUrl: venue.devnet.rpcUrl, chainId, contracts }
  }

  async function walletBalance(): Promise<bigint> {
    const { rpcUrl, deployment } = venue.devnet
    const client = createPublicClient({ transport: http(rpcUrl) })
    const args = [(await wallet(opened.page)) as Hex] as const
    const address = deployment.tokens.USDC as Hex
    return client.readContract({ address, abi: BALANCE, functionName: 'balanceOf', args })
  }
})

/**
 * Makes a wallet deposit, rest an order below the book and buy a little, using only the contracts.
 */
async function tradeByChain(wallet: WalletProgram, signing: SigningVenue): Promise<void> {
  const { engine, number, market } = signing.market('ETH-PERP')
  const token = signing.info.tokens.find(({ symbol }) => symbol === 'USDC')?.address as Hex
  const money = { engine, token, amount: 5_000_000_000n }
  const accounts = (await wallet.rpc('eth_accounts', [])) as readonly Hex[]
  const grants = testMoney(signing, accounts, wallet.account.address) ?? []
  for (const { tx } of grants) await included(wallet, await wallet.rpc('eth_sendTransaction', [tx]))
  const mark = Number(market.mark_price) / Number(market.price_step)
  const place = (part: number, timeInForce: number) => {
    const request = {
      ...{ market: number, buy: true, tick: Math.floor(mark * part), timeInForce },
      ...{ lots: toSteps('0.1', market.amount_step), reduceOnly: false, goodTil: 0, maxFills: 0 },
    }
    const data = encodeFunctionData({ abi: engineAbi, functionName: 'place', args: [request] })
    return { to: engine, data }
  }
  const calls = [approveCall(money), depositCall(money), place(0.95, 0), place(1.03, 1)]
  for (const { to, data } of calls) {
    const answer = await wallet.answer('eth_sendTransaction', [{ to, data }])
    await included(wallet, 'result' in answer ? answer.result : JSON.stringify(answer))
  }
}

async function included(wallet: WalletProgram, hash: unknown): Promise<void> {
  const find = () => wallet.rpc('eth_getTransactionReceipt', [String(hash)])
  const look = async () => (await find()) as Readonly<{ status: Hex }> | null
  const receipt = await until(`${hash} has a receipt`, look, PATIENCE_MS)
  assert.equal(receipt.status, '0x1', `${hash}`)
}

type TextWindow = { seenTexts: { tabs: string[]; blocks: number[] } }

/** Records every tab count and displayed block from now on. */
function watchTexts(): void {
  const seen: TextWindow['seenTexts'] = { tabs: [], blocks: [] }
  Object.assign(globalThis, { seenTexts: seen })
  const look = () => {
    for (const tab of document.querySelectorAll('.tabs button'))
      if (/\(/.test(tab.textContent ?? '')) seen.tabs.push(tab.textContent ?? '')
    const [, block] =
      /block ([\d,]+)/.exec(document.querySelector('.trust')?.textContent ?? '') ?? []
    if (block !== undefined) seen.blocks.push(Number(block.replaceAll(',', '')))
  }
  new MutationObserver(look).observe(document.body, {
    ...{ subtree: true, childList: true, characterData: true },
  })
}
