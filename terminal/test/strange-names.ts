// Tokens, a market and a pool with markup in their names, and their display.
import assert from 'node:assert/strict'
import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { until } from '@openvenue/core/test/until'
import { bytes32 } from '@openvenue/devnet/deploy'
import type { Devnet } from '@openvenue/devnet/devnet'
import { mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { TxSender } from '@openvenue/devnet/tx-sender'
import { openPool, sending } from '@openvenue/e2e/new-pool'
import type { Browser, Page } from 'playwright-core'
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { findBarriers } from './barriers.ts'
import { openPage } from './browser.ts'
import { staticHost } from './static-host.ts'
import { smallTargets } from './targets.ts'

/** The longest names that the contracts accept: 31 bytes, which the venue accepts as ASCII. */
export const STRANGE = {
  symbol: '"><img src=x onerror=alert(1)>!',
  market: "</td><svg/onload=x()>'&lt;%2f?#",
} as const
/** Pools are not listed by anyone, so their tokens can have arbitrary names. */
const STRANGEST = '"><img src=x onerror=x()>\n\u202etxet'
/** Deposits take some blocks, and the second host reads new pools periodically. */
const READY_MS_MAX = 120_000
const HEIGHT = 900
const WIDTHS = [360, 768, 1280]

const GAS = 8_000_000
const DECIMALS = 18
const UNIT = 10n ** 18n
const USDC = 10n ** 6n
/** Steps of ETH-USDC. */
const STEPS = [10n ** 4n, 10n ** 14n, USDC, 1_000_000n * USDC] as const

/** Lists both as the owner of the venue, and gives 100 of the token to a wallet. */
export async function listStrangeMarket(
  { rpcUrl, deployment, wallets }: Devnet,
  wallet: string,
): Promise<void> {
  const { symbol, market } = STRANGE
  const from = wallets[ROLES.owner] ?? ''
  const send = sending(new TxSender(rpcAt(rpcUrl)))
  const args = [symbol, symbol, DECIMALS] as const
  const making = encodeDeployData({ abi: devTokenAbi, bytecode: devTokenBytecode, args })
  const [made] = await send([{ from, data: making, gas: GAS }])
  const token = made?.contractAddress ?? ''
  const listing = encodeFunctionData({
    abi: spotAbi,
    functionName: 'list',
    args: [bytes32(market), token as Hex, deployment.tokens.USDC as Hex, ...STEPS],
  })
  await send([
    { from, to: deployment.spot, data: listing, gas: GAS },
    mint(from, token, wallet, 100n * UNIT),
  ])
}

/** Opens the market on the trading page, deposits its token, and finds both by name. */
export async function useStrangeMarket(page: Page): Promise<void> {
  await untilTradePage(page, STRANGE.market)
  // The URL of the market works as well, and the wallet's tokens are re-read.
  await page.reload()
  await untilTradePage(page, STRANGE.market)
  const account = page.locator('.account')
  await account.getByText('Deposit or withdraw').click({ timeout: READY_MS_MAX })
  await account.getByRole('combobox', { name: 'To', exact: true }).selectOption('spot')
  await account.getByLabel('Token').selectOption(STRANGE.symbol)
  await account.getByLabel('Amount').fill('5')
  await account.locator('button[value=deposit]:enabled').click()
  const balance = account.locator('.balances tr', { hasText: STRANGE.symbol })
  await balance.waitFor({ timeout: READY_MS_MAX })
  assert.match((await balance.textContent()) ?? '', /spot5(\.0+)?5/)
  await page.keyboard.press('Control+k')
  await page.getByRole('button', { name: `Open ${STRANGE.market}` }).waitFor()
  await page.keyboard.press('Escape')
  await staysWhole(page, 'the page to trade on')
}

/** Opens a pool of a token with an even stranger name, and finds it on the page of pools. */
export async function openStrangePool(devnet: Devnet, browser: Browser): Promise<void> {
  const [maker = ''] = devnet.wallets.slice(ROLES.visitors[0])
  await openPool(rpcAt(devnet.rpcUrl), devnet.deployment, { maker, symbol: STRANGEST })
  const { apiUrl, integratedUrl } = devnet
  const { url, server } = await staticHost({ apiUrl, integratedUrl })
  const { page, faults, close } = await openPage(browser, `${url}/?page=pools`)
  try {
    const pair = await untilPool(page)
    assert.match(pair, /^"><img src=x onerror=x\(\)>.*txet \/ ETH$/)
    assert.doesNotMatch(pair, /[\p{C}\p{Zl}\p{Zp}]/u, 'nothing that is not seen')
    const heights = await page
      .locator('.list tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    // The last row has no line below it.
    const higher = Math.max(...heights) - Math.min(...heights)
    assert.ok(higher <= 1, `a row is higher than another by ${higher} px`)
    await staysWhole(page, 'the pools')
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findBarriers(page), [], `pools, ${colorScheme}`)
    }
    assert.deepEqual(await smallTargets(page), [], 'pools')
    assert.deepEqual(faults, [])
  } finally {
    await close()
    server.close()
    server.closeAllConnections()
  }
}

/** Returns the list entry of the new pool, once the second host has it. */
async function untilPool(page: Page): Promise<string> {
  const rows = page.locator('.list tbody tr')
  const pair = rows.filter({ hasText: '<img' }).locator('td').first()
  const isListed = async () => {
    if ((await pair.count()) > 0) return true
    await page.reload()
    await rows.first().waitFor()
    return false
  }
  await until('the second host has the new pool', isListed, READY_MS_MAX)
  return (await pair.textContent()) ?? ''
}

/** Waits until URL, title, selection and form show that market. */
const untilTradePage = (page: Page, market: string) =>
  page.waitForFunction(
    (name) =>
      document.title.includes(name) &&
      new URL(location.href).searchParams.get('market') === name &&
      document.querySelector('.market-name')?.textContent === name &&
      document.querySelector('.place')?.textContent?.endsWith(name) === true,
    market,
  )

/** Checks that no name became an element, and that nothing is wider than the page. */
async function staysWhole(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(wide <= width, `${what}: ${wide} px of ${width}`)
  }
  const made = '[onerror], [onload], img[src="x"], td svg:not(.spark)'
  assert.equal(await page.locator(made).count(), 0, what)
}
