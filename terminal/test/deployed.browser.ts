// The trading page, served by the API of a venue that was deployed to a chain: it shows the
// markets, connects a browser wallet, deposits and trades. The services get only deployment.json
// and their environment.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DeployedVenue } from '@openvenue/deploy/test/deployed-venue'
import { callToken, fund, place } from '@openvenue/deploy/test/whole-venue'
import { MARKETS } from '@openvenue/devnet/markets'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { arcTokenAbi } from '@openvenue/indexer/test/arc-token'
import { postgresEngine } from '@openvenue/store/test/engines'
import type { Browser } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { WALLET, WalletProgram } from './test-wallet.ts'

const MARKET = 'ETH-PERP'
const [MAKER, RECEIPTS, RELAYER, LANE] = [10, 16, 17, 18]
const CHAIN_MS_MAX = 60_000
const LEVELS = 12
const LOTS = 2_000
const USDC_UNITS = 1_000_000n
const GAS_MONEY = `0x${(10n ** 20n).toString(16)}`

const postgres = postgresEngine(process.env.DATABASE_URL)
assert.ok(postgres !== undefined, 'DATABASE_URL is a PostgreSQL: scripts/services.ts has one')

let venue: DeployedVenue
let browser: Browser
let opened: OpenPage
let wallet: WalletProgram
before(async () => {
  venue = await DeployedVenue.start(postgres, ({ rpc }) => ({
    RELAY_KEYS: [RELAYER, LANE].map(derivePrivateKey).join(','),
    RELAY_RECEIPT_KEY: derivePrivateKey(RECEIPTS),
    PUBLIC_RPC_URL: rpc.url,
  }))
  browser = await startBrowser()
  wallet = new WalletProgram(venue.chain.rpc.url, venue.trading.record.chainId)
  opened = await openPage(browser, 'about:blank')
  await wallet.install(opened.page.context())
  opened.page.setDefaultTimeout(CHAIN_MS_MAX)
})
after(async () => {
  await opened?.close()
  await browser?.close()
  await venue?.stop()
})

/** Fills the book with another account's orders, around the keeper's price. */
async function fillBook(): Promise<void> {
  const { trading } = venue
  const maker = venue.wallet(MAKER)
  await fund(trading, maker)
  const market = MARKETS.find(({ name }) => name === MARKET)
  assert.ok(market !== undefined)
  for (let away = 1; away <= LEVELS; away += 1) {
    await place(trading, maker, market, { isBuy: false, ticksAway: away, lots: LOTS })
    await place(trading, maker, market, { isBuy: true, ticksAway: -away, lots: LOTS })
  }
}

test('the page shows every market of the deployment, and the book of its chain', async () => {
  await fillBook()
  const { page } = opened
  await page.goto(`${venue.apiUrl}/?market=${MARKET}`)
  await page
    .locator('.bids tr:not(.vacant)')
    .nth(LEVELS - 2)
    .waitFor()
  await page.locator('.market-name').click()
  const names = page.locator('.menu-market')
  await names.nth(MARKETS.length - 1).waitFor()
  const listed = await names.allTextContents()
  await page.keyboard.press('Escape')
  assert.deepEqual(listed.sort(), MARKETS.map(({ name }) => name).sort())
})

test('a browser wallet deposits and registers, and its order is filled', async () => {
  const { page } = opened
  const { address } = wallet.account
  const { record } = venue.trading
  await venue.chain.rpc.call('anvil_setBalance', address, GAS_MONEY)
  const args = [address, 5_000n * USDC_UNITS] as const
  const minted = { abi: arcTokenAbi, functionName: 'mint', args } as const
  await callToken(venue.trading, venue.wallet(MAKER), record.tokens.USDC ?? '0x', minted)
  // Agrees to every description of a wallet request.
  await page.evaluate(() => {
    setInterval(() => {
      document.querySelector<HTMLElement>('dialog.agree[open] button.primary')?.click()
    }, 50)
  })
  const panel = page.locator('.account')
  await panel.getByRole('button', { name: `Connect ${WALLET.name}` }).click()
  await panel.getByLabel('Deposit USDC as margin').fill('1000')
  await panel.getByRole('button', { name: 'Enable trading' }).click()
  await panel.getByText('Equity').first().waitFor()
  const order = page.locator('.order')
  await order.getByRole('button', { name: 'Market', exact: true }).click()
  await order.getByLabel(/^Size/).fill('0.1')
  await page.locator('.order-preview').waitFor()
  await page.locator('.place:enabled').click()
  await page.getByRole('button', { name: /^positions \(1\)/i }).waitFor()
  const trades = (await venue.ask(`/markets/${MARKET}/trades?limit=5`)) as readonly unknown[]
  assert.equal(trades.length, 1)
  assert.deepEqual(opened.faults, [])
})
