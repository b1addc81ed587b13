// A wallet of the browser on the page: found, however old it is; on the wrong network, refusing,
// busy and silent; enabling trading cut off at each step; money in and out; two tabs; older fills;
// and that it goes to another account.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { ROLES } from '@openvenue/devnet/roles'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import type { TestVenue } from '@openvenue/e2e/venue'
import { Rest } from 'openvenue'
import { type Hex, loadVenue, type SigningVenue, withdrawCall } from 'openvenue/signing'
import type { Browser, Page } from 'playwright-core'
import { parseEventLogs, type RpcLog } from 'viem'
import { csvText } from '../src/worker/tables/csv.ts'
import { COLUMNS } from '../src/worker/tables/table-protocol.ts'
import { downloadText, type Opened, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import { WALLET, type WalletLook, WalletProgram } from './test-wallet.ts'

const CHAIN_MS_MAX = 40_000
const OTHER_CHAIN = 1
const DEPOSIT = '1000'
/** As the page waits for a wallet to announce itself. */
const UNANNOUNCED_MS = 300
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

describe('a wallet of the browser', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let signing: SigningVenue
  let wallet: WalletProgram
  let chainId: number
  let opened: Opened
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

  const open = async (looks?: readonly WalletLook[], isGlobal = false) => {
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
  /** Agrees, from the next load on, to all that the page says that the wallet will be asked. */
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

  test('is listed by its name as text, its picture a picture, whatever it says', async () => {
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

  test('is found where it is window.ethereum and announces nothing, now and when loaded again', async () => {
    const page = await open([], true)
    await button(page, 'Connect Browser wallet').click()
    await says(page, 'Deposit USDC as margin')
    await page.locator(`.badge [title="${wallet.account.address}"]`).waitFor()
    await page.reload()
    await says(page, 'Deposit USDC as margin')
    await page.locator(`.badge [title="${wallet.account.address}"]`).waitFor()
    assert.deepEqual(opened.faults, [])
  })

  test('is listed once where it announces itself and is window.ethereum as well', async () => {
    const page = await open([WALLET], true)
    await button(page, `Connect ${WALLET.name}`).waitFor()
    // One that has announced nothing for so long is listed: this timer ends behind the page's.
    await page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), UNANNOUNCED_MS)
    assert.deepEqual(await button(page, /^Connect/).allTextContents(), [`Connect ${WALLET.name}`])
  })

  test('on another network has that said, and is switched with one click, words first', async () => {
    wallet.chainId = OTHER_CHAIN
    wallet.known.delete(chainId)
    const page = await open()
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, `is on chain 1. This venue is on devnet (chain ${chainId})`)
    await button(page, 'Switch to devnet').click()
    const dialog = page.locator('dialog.agree[open]')
    await dialog.getByText('Add this network to your wallet').waitFor()
    await dialog.getByText(venue.devnet.rpcUrl).waitFor()
    await dialog.getByText('Go on in the wallet').click()
    await page.locator('.account .hint').waitFor({ state: 'detached' })
    assert.equal(wallet.chainId, chainId)
    assert.equal(wallet.times('wallet_addEthereumChain'), 1)
  })

  test('that refuses, is busy or silent has that said, and nothing hangs', async () => {
    const page = await open()
    wallet.mood = 'refuses'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /you refused it in the wallet/)
    wallet.mood = 'busy'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /has a question open already/)
    wallet.mood = 'silent'
    await button(page, `Connect ${WALLET.name}`).click()
    await says(page, /Waiting for your answer/)
    await button(page, 'Stop waiting').click()
    await says(page, /you stopped waiting/)
    wallet.mood = 'signs'
    await connect(page)
    assert.deepEqual(opened.faults, [])
  })

  test('is asked for the rest alone when the page is reloaded at any step', async () => {
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
    await button(page, 'Go on').click()
    await says(page, /Waiting for your answer/)
    await page.reload()
    wallet.mood = 'signs'
    await button(page, 'Go on').click()
    await says(page, 'Equity')
    assert.equal((await deposits()).length, 1, 'one deposit')
    const { asked } = wallet
    const times = (names: readonly string[]) => names.map((name) => wallet.times(name))
    // The registration was cut between its two signatures; the permission once.
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

  test('is asked once for both calls where it can, and again only for what it refused', async () => {
    wallet.canBatch = true
    wallet.mood = 'refuses'
    wallet.moodOf = 'AllowCanceller'
    const page = await open()
    await agreeing(page)
    await connect(page)
    await fund(page)
    await enable(page, DEPOSIT)
    await says(page, /you refused it in the wallet/)
    wallet.mood = 'signs'
    await button(page, 'Go on').click()
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

  /** Moves money in and out by the wallet, once trading is enabled. */
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

  /** Has the signing key itself ask the contract for the account's money. */
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

  test('is the same in two tabs: one key for both, and signed out in both', async () => {
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
    await says(second, /Another tab of this page is at it/)
    wallet.release()
    await Promise.all([says(page, 'Equity'), says(second, 'Equity')])
    assert.equal((await keysRegistered()).length, 1)
    assert.equal(wallet.times('Register'), 1)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await Promise.all([button(page, /^Connect/).waitFor(), button(second, /^Connect/).waitFor()])
  })

  test('of somebody who trades all day has older fills by a click, kept while others come', async () => {
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
    // Of a page that begins with the newest row, fewer are behind what is shown now.
    const again = await readOlder()
    assert.ok(again.length > 0)
    assert.deepEqual(again, older.slice(0, again.length), 'others came, and it begins where it did')
    const wait = page.waitForEvent('download')
    await press('Export')
    const file = (await downloadText(await wait)).trim().split('\r\n')
    const at = file.indexOf(older[0] ?? '')
    assert.equal(file[at - 1], last, 'none is missing between')
    assert.deepEqual(file.slice(at, at + older.length), older)
  })

  test('that goes to another account is followed there, without the keys of the first', async () => {
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

/** Returns the rows of the table below, by their cells. */
const fillsOf = (page: Page): Promise<readonly (readonly string[])[]> =>
  page
    .locator('.rows tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll('td')].slice(0, -1).map((cell) => cell.textContent ?? ''),
      ),
    )

/** Writes rows as the file has them. */
const linesOf = (rows: readonly (readonly string[])[]): readonly string[] =>
  csvText(
    COLUMNS.fills,
    rows.map((cells) => ({
      ...({ id: '', market: '', action: '' } as const),
      cells: cells.map((text) => ({ text, side: '' as const })),
    })),
  )
    .trim()
    .split('\r\n')
    .slice(1)
