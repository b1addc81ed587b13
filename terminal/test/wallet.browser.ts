// A browser wallet on the page: detection of new and old wallets; wrong network, rejecting, busy
// and silent wallets; enabling trading interrupted at each step; deposits and withdrawals; two
// tabs; older fills; and a change of account.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { ROLES } from '@openvenue/devnet/roles'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { capDeposits } from '@openvenue/e2e/deposit-caps'
import type { TestVenue } from '@openvenue/e2e/venue'
import { Rest } from 'openvenue'
import { type Hex, loadVenue, type SigningVenue, withdrawCall } from 'openvenue/signing'
import type { Browser, Page } from 'playwright-core'
import { parseEventLogs, type RpcLog } from 'viem'
import { columns } from '../src/features/tables/text.ts'
import { csvText } from '../src/features/tables/worker/csv.ts'
import { showDecimal } from '../src/text/decimal-text.ts'
import { findBarriers } from './barriers.ts'
import { downloadText, type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { WALLET, type WalletInfo, WalletProgram } from './test-wallet.ts'

const CHAIN_MS_MAX = 40_000
const PHONE = { width: 390, height: 844 }
const OTHER_CHAIN = 1
const DEPOSIT = '1000'
/** Time that the page waits for a wallet to announce itself. */
const UNANNOUNCED_MS = 300
/** Decimals of a fee in the table. Files have exact fees. */
const FEE_DECIMALS = 4
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

describe('a browser wallet', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let signing: SigningVenue
  let wallet: WalletProgram
  let chainId: number
  let opened: OpenPage
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    signing = await loadVenue(new Rest({ url: venue.devnet.apiUrl }))
    chainId = signing.info.network.chain_id
  })
  after(async () => {
    await browser?.close()
    await use.end()
  })
  beforeEach(() => {
    wallet = new WalletProgram(venue.devnet.rpcUrl, chainId)
  })
  afterEach(() => opened?.close())

  const open = async (looks?: readonly WalletInfo[], isGlobal = false) => {
    opened = await openPage(browser, 'about:blank')
    await wallet.install(opened.page.context(), looks, isGlobal)
    await opened.page.goto(venue.devnet.apiUrl)
    return opened.page
  }
  const button = (page: Page, name: string | RegExp) =>
    page.locator('.account').getByRole('button', { name })
  const says = async (page: Page, text: string | RegExp) => {
    const panel = page.locator('.account')
    const found = panel.getByText(text).first().waitFor({ timeout: CHAIN_MS_MAX })
    await found.catch(async (error: unknown) => {
      const said = (await panel.first().textContent())?.replaceAll('\n', ' / ')
      throw new Error(`the page does not say ${text}, but ${said}; asked: ${wallet.asked}`, {
        cause: error,
      })
    })
  }
  /** Agrees, from the next load on, to every description of a wallet request. */
  const agreeing = async (page: Page) => {
    await page.context().addInitScript(() => {
      setInterval(() => {
        document.querySelector<HTMLElement>('dialog.agree[open] button.primary')?.click()
      }, 50)
    })
    await page.reload()
  }
  const connect = async (page: Page) => {
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, 'Deposit USDC as margin')
  }
  const fund = async (page: Page) => {
    await button(page, 'Get test money').click()
    await says(page, '✓ Get test money')
  }
  const enable = async (page: Page, amount: string) => {
    await page.locator('.account').getByLabel('Deposit USDC as margin').fill(amount)
    await button(page, 'Enable trading').click()
  }
  const deposits = async () => {
    const [token] = signing.info.tokens.filter(({ symbol }) => symbol === 'USDC')
    const topics = [TRANSFER, topic(wallet.account.address), topic(signing.contracts.perps ?? '')]
    const range = { fromBlock: '0x0', toBlock: 'latest' }
    return (await wallet.rpc('eth_getLogs', [{ address: token?.address, topics, ...range }])) as []
  }

  test('a browser wallet is listed with its name as text and its icon as a picture', async () => {
    const evil = {
      ...WALLET,
      name: '<img src=x onerror=alert(1)>',
      icon: 'https://example.org/x.png',
    }
    const page = await open([WALLET, evil])
    await button(page, `Connect ${evil.name}`).waitFor()
    await button(page, `Connect ${WALLET.name}`).waitFor()
    const icons = await page
      .locator('.account img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src.slice(0, 18)))
    assert.deepEqual(icons, ['data:image/svg+xml'])
    assert.deepEqual(opened.faults, [])
  })

  test('a browser wallet that only sets window.ethereum is found, also on reload', async () => {
    const page = await open([], true)
    await button(page, 'Connect Browser wallet').click()
    await says(page, 'Deposit USDC as margin')
    await page.locator(`.badge [title="${wallet.account.address}"]`).waitFor()
    await page.reload()
    await says(page, 'Deposit USDC as margin')
    await page.locator(`.badge [title="${wallet.account.address}"]`).waitFor()
    assert.deepEqual(opened.faults, [])
  })

  test('a browser wallet that announces itself and is window.ethereum is listed once', async () => {
    const page = await open([WALLET], true)
    await button(page, `Connect ${WALLET.name}`).waitFor()
    // Unannounced wallets are listed after this time: this timer ends after the page's.
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), UNANNOUNCED_MS)
    assert.deepEqual(await button(page, /^Connect/).allTextContents(), [`Connect ${WALLET.name}`])
  })

  test('a browser wallet on another network is described and switched by one click', async () => {
    wallet.chainId = OTHER_CHAIN
    wallet.known.delete(chainId)
    const page = await open()
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, `is on chain 1. This venue is on devnet (chain ${chainId})`)
    await button(page, 'Switch to devnet').click()
    const dialog = page.locator('dialog.agree[open]')
    await dialog.getByText('Add this network to your wallet').waitFor()
    await dialog.getByText(venue.devnet.rpcUrl).waitFor()
    await dialog.getByText('Continue in the wallet').click()
    await page.locator('.account .hint').waitFor({ state: 'detached' })
    assert.equal(wallet.chainId, chainId)
    assert.equal(wallet.times('wallet_addEthereumChain'), 1)
  })

  test('a browser wallet that rejects, is busy or never answers is reported', async () => {
    const page = await open()
    wallet.mood = 'refuses'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /rejected in the wallet/)
    wallet.mood = 'busy'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /already has an open request/)
    wallet.mood = 'silent'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /Waiting for your answer/)
    await button(page, 'Stop waiting').click()
    await says(page, /you stopped waiting/)
    wallet.mood = 'signs'
    await connect(page)
    assert.deepEqual(opened.faults, [])
  })

  test('a browser wallet is asked only for the remaining steps after a reload', async () => {
    const page = await open()
    await agreeing(page)
    await connect(page)
    await fund(page)
    wallet.mood = 'silent'
    wallet.moodOf = 'RegisterKey'
    await enable(page, DEPOSIT)
    await says(page, /Waiting for your answer/)
    assert.equal((await deposits()).length, 1)
    wallet.moodOf = 'AllowCanceller'
    await page.reload()
    await button(page, 'Resume').click()
    await says(page, /Waiting for your answer/)
    await page.reload()
    wallet.mood = 'signs'
    await button(page, 'Resume').click()
    await says(page, 'Equity')
    assert.equal((await deposits()).length, 1, 'one deposit')
    const { asked } = wallet
    const times = (names: readonly string[]) => names.map((name) => wallet.times(name))
    // The registration was interrupted between its two signatures; the permission once.
    assert.deepEqual(
      times(['eth_sendTransaction', 'Register', 'RegisterKey', 'AllowCanceller']),
      [2, 2, 2, 2],
      asked.join(' '),
    )
    assert.equal((await keysRegistered()).length, 1, 'one key on the chain')
    assert.deepEqual(opened.faults, [])
  })

  /** Signing keys that the contract of accounts has registered for the wallet. */
  const keysRegistered = async () => {
    const range = { address: signing.accounts, fromBlock: '0x0', toBlock: 'latest' }
    const logs = (await wallet.rpc('eth_getLogs', [range])) as RpcLog[]
    const events = parseEventLogs({ abi: accountsAbi, logs })
    const own = wallet.account.address
    const opening = events.find(
      (one) => one.eventName === 'AccountOpened' && one.args.wallet === own,
    )
    return events.flatMap((one) =>
      one.eventName === 'KeyRegistered' && one.args.account === opening?.args.account
        ? [one.args.key]
        : [],
    )
  }

  test('a wallet with batches is asked once for both calls, and again if it rejects', async () => {
    wallet.canBatch = true
    wallet.mood = 'refuses'
    wallet.moodOf = 'AllowCanceller'
    const page = await open()
    await agreeing(page)
    await connect(page)
    await fund(page)
    await enable(page, DEPOSIT)
    await says(page, /rejected in the wallet/)
    wallet.mood = 'signs'
    await button(page, 'Resume').click()
    await says(page, 'Equity')
    assert.equal(wallet.times('wallet_sendCalls'), 1)
    assert.equal(wallet.times('eth_sendTransaction'), 0)
    assert.equal(wallet.times('Register'), 1, 'the API key was kept')
    assert.equal((await deposits()).length, 1)
    const [key, ...others] = await keysRegistered()
    assert.deepEqual(others, [])
    await cannotWithdraw(key ?? '0x')
    await movesMoney(page)
  })

  /** Deposits and withdraws by the wallet, once trading is enabled. */
  const movesMoney = async (page: Page) => {
    const form = page.locator('.account details', { hasText: 'Deposit or withdraw' })
    await form.locator('summary').click()
    const move = async (way: 'Deposit' | 'Withdraw', amount: string) => {
      await form.getByLabel('Amount').fill(amount)
      await form.getByRole('button', { name: way, exact: true }).click()
      const step = page.locator('.account .steps li', { hasText: `${way} ${amount}` })
      await step.filter({ hasText: '✓' }).waitFor({ timeout: CHAIN_MS_MAX })
    }
    await move('Deposit', '50')
    assert.equal((await deposits()).length, 2)
    assert.equal(wallet.times('wallet_sendCalls'), 2, 'both calls at once')
    await move('Withdraw', '20')
    assert.equal(wallet.times('eth_sendTransaction'), 1)
    await page.locator('.account .balances tr', { hasText: /1,030/ }).waitFor()
  }

  /** Asks the contract for the account's money with the signing key itself. */
  const cannotWithdraw = async (key: Hex) => {
    const token = signing.info.tokens.find(({ symbol }) => symbol === 'USDC')?.address as Hex
    const engine = signing.contracts.perps as Hex
    const tryAs = (from: Hex) => {
      const { to, data } = withdrawCall({ engine, token, amount: 1n }, from)
      return wallet.rpc('eth_call', [{ from, to, data }, 'latest'])
    }
    await assert.rejects(tryAs(key))
    await tryAs(wallet.account.address)
  }

  test("a browser wallet deposits up to the venue's cap, whose changes are shown", async () => {
    const usdc = 1_000_000n
    const page = await open()
    await agreeing(page)
    await connect(page)
    await fund(page)
    await capDeposits(venue, { perAccount: 1_200n * usdc })
    try {
      await enable(page, '1200.5')
      await says(page, /deposits are capped at 1,200 USDC per account: at most 1,200 USDC more/)
      assert.deepEqual(await deposits(), [])
      await enable(page, DEPOSIT)
      await says(page, 'Equity')
      await page.locator('.account .balances tr', { hasText: /1,000/ }).waitFor()
      const form = page.locator('.account details', { hasText: 'Deposit or withdraw' })
      await form.locator('summary').click()
      const amount = form.getByLabel('Amount')
      const left = form.locator('.most', { hasText: 'Left under the cap' })
      await form.getByText('Deposits are capped at 1,200 USDC per account.').waitFor()
      await form.getByRole('button', { name: /^Wallet balance, .* USDC: use 200$/ }).click()
      assert.equal(await amount.inputValue(), '200')
      await form.locator('button[value=deposit]:enabled').waitFor()
      await amount.fill('200.000001')
      await form.getByText(/at most 200 USDC more can be deposited/).waitFor()
      assert.ok(await form.locator('button[value=deposit]').isDisabled())
      assert.deepEqual(await findBarriers(page), [])
      await page.setViewportSize(PHONE)
      await page.getByRole('tab', { name: 'Account' }).click()
      assert.deepEqual(await form.locator('form').evaluate(columnsOf), ['0'])
      await capDeposits(venue, { perAccount: 1_100n * usdc })
      await left.getByText('100 USDC').waitFor()
      await form.getByText(/at most 100 USDC more can be deposited/).waitFor()
      await capDeposits(venue, {})
      await left.waitFor({ state: 'detached' })
      await form.locator('button[value=deposit]:enabled').waitFor()
    } finally {
      await capDeposits(venue, {})
    }
  })

  test('a browser wallet is the same in two tabs, with one key and one sign-out', async () => {
    const page = await open()
    await agreeing(page)
    await connect(page)
    await fund(page)
    const second = await page.context().newPage()
    await second.goto(venue.devnet.apiUrl)
    await says(second, 'Deposit USDC as margin')
    wallet.mood = 'waits'
    wallet.moodOf = 'Register'
    await enable(page, DEPOSIT)
    await says(page, /Waiting for your answer/)
    await enable(second, '')
    await says(second, /Waiting for another tab of this page/)
    wallet.release()
    await Promise.all([says(page, 'Equity'), says(second, 'Equity')])
    assert.equal((await keysRegistered()).length, 1)
    assert.equal(wallet.times('Register'), 1)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await Promise.all([button(page, /^Connect/).waitFor(), button(second, /^Connect/).waitFor()])
  })

  test('the page shows older fills on request, and keeps them while new ones arrive', async () => {
    wallet.newAccount(derivePrivateKey(ROLES.traders[0]))
    const page = await open()
    await agreeing(page)
    await connect(page)
    await enable(page, '')
    await says(page, 'Equity')
    const bottom = page.locator('.bottom')
    const press = (name: string) => bottom.getByRole('button', { name, exact: true }).click()
    await press('fills')
    await bottom.locator('tbody tr').nth(49).waitFor()
    const newest = await bottom.locator('tbody tr').first().textContent()
    const last = linesOf(await fillsOf(page)).at(-1)
    const readOlder = async () => {
      await press('Show older')
      await bottom.getByText('Page 2, 200 rows at most').waitFor()
      return linesOf(await fillsOf(page))
    }
    const older = await readOlder()
    const block = await page.locator('.trust').textContent()
    await page.waitForFunction(
      (before) => document.querySelector('.trust')?.textContent !== before,
      block,
    )
    assert.deepEqual(linesOf(await fillsOf(page)), older, 'it stays while others come')
    await press('Show newer')
    await page.waitForFunction(
      (before) => document.querySelector('.rows tbody tr')?.textContent !== before,
      newest,
    )
    // A page that starts with the newest row has fewer rows behind the displayed ones.
    const again = await readOlder()
    assert.ok(again.length > 0)
    assert.deepEqual(again, older.slice(0, again.length), 'others came, and it begins where it did')
    const wait = page.waitForEvent('download')
    await press('Export')
    const file = (await downloadText(await wait)).trim().split('\r\n').map(withShownFee)
    const at = file.indexOf(older[0] ?? '')
    assert.equal(file[at - 1], last, 'none is missing between')
    assert.deepEqual(file.slice(at, at + older.length), older)
  })

  test('the page follows a browser wallet to another account, without the old keys', async () => {
    const page = await open()
    await connect(page)
    const first = wallet.account.address
    wallet.newAccount()
    await page.evaluate(() => {
      const { testWalletEvents } = window as unknown as {
        testWalletEvents: Map<string, (() => void)[]>
      }
      for (const listener of testWalletEvents.get('accountsChanged') ?? []) listener()
    })
    const { address } = wallet.account
    assert.notEqual(address, first)
    await page.locator(`.badge [title="${address}"]`).waitFor()
  })
})

/** Returns the distinct left edges of a form's parts: one column has one. Pixels. */
const columnsOf = (form: Element): readonly string[] => {
  const left = form.getBoundingClientRect().left
  return [
    ...new Set(
      [...form.children].map((part) => (part.getBoundingClientRect().left - left).toFixed()),
    ),
  ]
}

/** Returns the rows of the table below, by cells. */
const fillsOf = (page: Page): Promise<readonly (readonly string[])[]> =>
  page
    .locator('.rows tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].slice(0, -1).map((cell) => cell.textContent ?? ''),
      ),
    )

/** Returns a line of the file, whose fee is exact, with the fee as the table shows it. */
const withShownFee = (line: string): string =>
  line
    .split(',')
    .map((cell, at) =>
      columns.fills[at] === 'Fee'
        ? cell.replace(/^-?[\d.]+/, (fee) => showDecimal(fee, FEE_DECIMALS))
        : cell,
    )
    .join(',')

const linesOf = (rows: readonly (readonly string[])[]): readonly string[] =>
  csvText(
    columns.fills,
    rows.map((cells) => ({
      ...({ id: '', market: '', action: '' } as const),
      cells: cells.map((text) => ({ text, side: '' as const })),
    })),
  )
    .trim()
    .split('\r\n')
    .slice(1)
