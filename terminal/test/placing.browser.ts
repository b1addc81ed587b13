// Every kind of order, placed by the page and read from REST: the chosen terms are signed, refusals
// are shown with legal values, and shares of the buying power are exact.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { TestVenue } from '@openvenue/e2e/venue'
import { fromRaw, fromSteps, type Rest, type shapes, toRaw, toSteps } from 'openvenue'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, startBrowser } from './browser.ts'
import { useCommonVenue } from './common-venue.ts'
import {
  columns,
  exportTable,
  isPerpetual,
  orderCells,
  pastCells,
  positionCells,
  type Row,
  transferCells,
} from './exported.ts'
import { askMarket, OrderForm } from './order-form.ts'
import { untilRight } from './polling.ts'
import { holdTraders, takeFarPrice } from './quiet-market.ts'
import { readerOf } from './reader-key.ts'
import { chooseMarket, readBoth, untilBook } from './shown-market.ts'

/** A test wallet gets its money, deposits and registers: some twenty blocks. */
const READY_MS_MAX = 90_000
const MARKET = 'ETH-PERP'
const OTHER = 'BTC-PERP'
const DECIMALS = 18
const ONE = 10n ** BigInt(DECIMALS)
const NS_PER_MS = 1_000_000n
const DAY_MS = 86_400_000

describe('an order placed by the page', () => {
  const use = useCommonVenue()
  let venue: TestVenue
  let browser: Browser
  let opened: OpenPage
  let page: Page
  let rest: Rest
  let market: shapes.Market
  let form: OrderForm
  before(async () => {
    venue = await use.start()
    browser = await startBrowser()
    opened = await openPage(browser, `${venue.devnet.apiUrl}/?market=${MARKET}`, {
      acceptDownloads: true,
    })
    page = opened.page
    await untilBook(page)
    await page.getByRole('button', { name: 'Get test money' }).first().click()
    await page.locator('.place:enabled').waitFor({ timeout: READY_MS_MAX })
    rest = await readerOf(page, venue.devnet.apiUrl)
    market = await askMarket(rest, MARKET)
    form = new OrderForm(page, rest, market)
    // The book stays the same between preview and placement.
    await holdTraders(venue, true)
  })
  after(async () => {
    await opened?.close()
    await browser?.close()
    await use.end()
  })

  test('the slider fills in the size that the buying power pays for', async () => {
    await form.side('sell')
    const price = await takeFarPrice(page, 'sell')
    const account = await rest.call('GET /account')
    const raw = (text: string | null | undefined) => toRaw(text ?? '0', DECIMALS)
    const leverage = raw(market.max_leverage)
    // Free margin pays the initial margin and the taker fee.
    const perUnit = (raw(price) * (ONE + (leverage * raw(market.taker_fee)) / ONE)) / leverage
    for (const percent of [25n, 50n, 75n, 100n]) {
      await form.slide(percent)
      const exact = (raw(account.available_balance) * ONE * percent) / (perUnit * 100n)
      const steps = exact / raw(market.amount_step)
      const wanted = fromSteps(steps, market.amount_step)
      await page.waitForFunction(isField, wanted)
      assert.equal(await form.field(/^Size/).inputValue(), wanted, `${percent} %`)
    }
    const isTaken = async () => {
      await page.locator('.order-preview').or(page.locator('.order-rule')).first().waitFor()
      assert.deepEqual(await page.locator('.order-rule').allTextContents(), [])
    }
    await isTaken()
    // A bid below the mark needs the margin of the mark, which the venue applies as well.
    await form.side('buy')
    const before = await form.field(/^Size/).inputValue()
    await takeFarPrice(page)
    await form.slide(100n)
    await page.waitForFunction(isNoField, before)
    await isTaken()
  })

  test('a post-only order that would trade is refused with the nearest legal price', async () => {
    const ask = await form.bestAsk()
    await form.field(/^Price/).fill(ask.price)
    await form.field(/^Size/).fill('0.1')
    await form.flag(/^Post-only/, true)
    const nearest = fromSteps(toSteps(ask.price, market.price_step) - 1n, market.price_step)
    await form
      .rule(/A post-only order must not fill immediately at the best opposite price/)
      .waitFor()
    const [answer] = await form.send()
    assert.equal(answer?.error, 'POST_ONLY_CROSS', JSON.stringify(answer))
    await form
      .rule(/Move the price behind it, or turn post-only off/)
      .getByRole('button', { name: `use ${nearest}` })
      .click()
    assert.equal(await form.field(/^Price/).inputValue(), nearest)
    await form.rule(/A post-only order/).waitFor({ state: 'detached' })
    const order = await form.place()
    assert.deepEqual(
      [order.post_only, order.time_in_force, order.price, order.order_status],
      [true, 'GTC', nearest, 'opened'],
    )
    await form.flag(/^Post-only/, false)
  })

  test('a fill-or-kill order is refused with the fillable amount, then filled', async () => {
    const ask = await form.bestAsk()
    await form.force('FOK')
    await form.field(/^Price/).fill(ask.price)
    const more = toSteps(ask.amount, market.amount_step) + 5n
    await form.field(/^Size/).fill(fromSteps(more, market.amount_step))
    await form.rule(/Fill or kill: not enough liquidity/).waitFor()
    const [answer] = await form.send()
    assert.equal(answer?.error, 'FOK_UNFILLABLE', JSON.stringify(answer))
    await form
      .rule(/Fill or kill: not enough liquidity/)
      .getByRole('button', { name: `use ${ask.amount}` })
      .click()
    assert.equal(await form.field(/^Size/).inputValue(), ask.amount)
    await form.rule(/Fill or kill: not enough liquidity/).waitFor({ state: 'detached' })
    const order = await form.place()
    assert.deepEqual(
      [order.time_in_force, order.order_status, order.amount, order.filled, order.avg_price],
      ['FOK', 'filled', ask.amount, ask.amount, ask.price],
    )
  })

  test('an immediate-or-cancel order leaves nothing in the book', async () => {
    const ask = await form.bestAsk()
    await form.force('IOC')
    await form.field(/^Price/).fill(ask.price)
    const more = toSteps(ask.amount, market.amount_step) + 7n
    await form.field(/^Size/).fill(fromSteps(more, market.amount_step))
    await page.getByText(/immediate or cancel: any unfilled size is cancelled/).waitFor()
    const order = await form.place()
    assert.deepEqual(
      [order.time_in_force, order.order_status, order.filled, order.remaining],
      ['IOC', 'cancelled', ask.amount, fromSteps(7n, market.amount_step)],
    )
    const live = await rest.call('GET /orders', { query: { include: 'pending' } })
    assert.ok(live.every(({ order_id: id }) => id !== order.order_id))
    await form.force('GTC')
  })

  test('a reduce-only order is signed as such, and rests opposite to the position', async () => {
    await form.side('sell')
    const price = await takeFarPrice(page, 'sell')
    await form.field(/^Size/).fill('0.2')
    await form.flag(/^Reduce-only/, true)
    await page.getByText(/; reduce-only/).waitFor()
    const order = await form.place()
    assert.deepEqual(
      [order.reduce_only, order.side, order.price, order.order_status],
      [true, 'sell', price, 'opened'],
    )
    await form.flag(/^Reduce-only/, false)
  })

  test('an order good til a date ends at the chosen second', async () => {
    await form.side('buy')
    await takeFarPrice(page)
    await form.field(/^Size/).fill('0.2')
    await form.force('GTD')
    const chosen = await page.evaluate((dayMs) => {
      const date = new Date(Date.now() + dayMs)
      const two = (number: number) => String(number).padStart(2, '0')
      const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
      const text = `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
      return { text, ms: new Date(text).getTime() }
    }, DAY_MS)
    await form.field(/^Until/).fill(chosen.text)
    const order = await form.place()
    assert.equal(order.time_in_force, 'GTD')
    assert.equal(order.expires_timestamp, String(BigInt(chosen.ms) * NS_PER_MS))
    await form.force('GTC')
  })

  test('a take-profit order is untriggered, with the typed terms', async () => {
    await form.press('Take profit')
    await form.side('sell')
    const mark = toSteps(
      (await askMarket(rest, MARKET)).mark_price ?? '0',
      market.price_step,
      'down',
    )
    const trigger = fromSteps((mark * 110n) / 100n, market.price_step)
    await form.field(/^Trigger/).fill(trigger)
    await form.field(/^Size/).fill('0.2')
    const order = await form.place()
    assert.deepEqual(
      [order.stop, order.trigger, order.order_status, order.side, order.amount],
      ['TAKE_PROFIT', trigger, 'stop_order', 'sell', '0.2'],
    )
    const worst = toRaw(trigger, DECIMALS) * 99n
    const price = fromSteps(
      toSteps(fromRaw(worst / 100n, DECIMALS), market.price_step, 'up'),
      market.price_step,
    )
    assert.equal(order.price, price, 'one percent worse than its trigger, and no more')
  })

  test('an order with exits has two waiting orders, reduce-only and linked to it', async () => {
    await form.press('Limit')
    await form.side('buy')
    const price = await takeFarPrice(page)
    const entry = toSteps(price, market.price_step)
    const [profit, loss] = [120n, 90n].map((percent) =>
      fromSteps((entry * percent) / 100n, market.price_step),
    )
    await form.field(/^Size/).fill('0.3')
    await form.flag(/^TP\/SL/, true)
    await form.field(/^Take profit/).fill(profit ?? '')
    await form.field(/^Stop loss/).fill(loss ?? '')
    await page.getByText(/Once filled: .* whichever comes first/).waitFor()
    const [parent, ...exits] = await form.send(3)
    const orders = await Promise.all(exits.map(({ order_id: id }) => form.find(id)))
    assert.deepEqual(
      orders.map((one) => [one.stop, one.trigger, one.side, one.amount, one.reduce_only]),
      [
        ['TAKE_PROFIT', profit, 'sell', '0.3', true],
        ['STOP_LOSS', loss, 'sell', '0.3', true],
      ],
    )
    for (const { parent_order_id: of, order_status: status } of orders)
      assert.deepEqual([of, status], [parent?.order_id, 'stop_order'])
    const { order_status, price: placed } = await form.find(parent?.order_id)
    assert.deepEqual([order_status, placed], ['opened', price])
    await form.field(/^Take profit/).fill('')
    await form.field(/^Stop loss/).fill('')
  })

  const bottom = () => page.locator('.bottom')
  const tab = (name: string) =>
    bottom()
      .locator('.tabs')
      .getByRole('button', { name: new RegExp(`^${name}`, 'i') })
  const open = (name: string, rows: number) => tab(`${name} \\(${rows}\\)`).click()
  const scope = (name: string) =>
    bottom().locator('.scope').getByRole('button', { name, exact: true }).click()
  const act = (name: string) => bottom().getByRole('button', { name, exact: true })
  const marketsShown = () => bottom().locator('.rows tbody tr td:first-child').allTextContents()
  const choose = async (name: string) => {
    await chooseMarket(page, name)
    await page.waitForFunction((title) => document.title.includes(title), name)
  }

  test('orders and positions are listed for the selected market or for all markets', async () => {
    await choose(OTHER)
    await form.press('Market')
    await form.side('buy')
    await form.field(/^Size/).fill('0.01')
    await page.getByText(/^Buy 0.01 BTC-PERP/).waitFor()
    assert.equal((await form.place()).order_status, 'filled')
    await open('positions', 2)
    assert.deepEqual((await marketsShown()).sort(), [OTHER, MARKET])
    await scope('This market')
    assert.deepEqual(await marketsShown(), [OTHER])
    const live = await rest.call('GET /orders', { query: { include: 'pending' } })
    await open('orders', live.length)
    assert.deepEqual(await marketsShown(), [], 'no order is of that one')
    assert.ok(await act('Cancel all').isDisabled())
    await choose(MARKET)
    assert.deepEqual(
      await marketsShown(),
      live.map(() => MARKET),
    )
    await act('Close all').click()
    await page.getByText('Close 1 position?').waitFor()
    await page.keyboard.press('Escape')
    await scope('All')
    await open('positions', 2)
    assert.equal((await marketsShown()).length, 2)
  })

  test('all positions and orders are exported with the values of REST', async () => {
    const names = ['Market', 'Size', 'Entry']
    const byMarket = (a: Row, b: Row) => (`${a.Market}` < `${b.Market}` ? -1 : 1)
    // REST caches an account's overview for two seconds, and shows the newer position after them.
    const { positions } = await untilRight(
      'two positions are open',
      () => rest.call('GET /account'),
      (account) => account.positions.filter(isPerpetual).length === 2,
    )
    assert.deepEqual(
      [...columns(await exportTable(page, 'positions'), names)].sort(byMarket),
      positions
        .filter(isPerpetual)
        .map((one) => positionCells(one))
        .sort(byMarket),
    )
    const live = (await rest.call('GET /orders', { query: { include: 'pending' } })).map(orderCells)
    const inOrder = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort()
    const saved = columns(await exportTable(page, 'orders'), Object.keys(live[0] ?? {}))
    assert.deepEqual(inOrder(saved), inOrder(live))
  })

  test('one button cancels all orders, after confirmation', async () => {
    const live = await rest.call('GET /orders', { query: { include: 'pending' } })
    assert.ok(live.length >= 6, `${live.length} orders`)
    await open('orders', live.length)
    await act('Cancel all').click()
    const yes = page.locator('dialog[open] button.primary')
    assert.equal(await yes.textContent(), `Cancel ${live.length} orders`)
    await yes.click()
    await open('orders', 0)
    await untilRight(
      'no order is open',
      () => rest.call('GET /orders', { query: { include: 'pending' } }),
      ({ length }) => length === 0,
    )
  })

  test('no number on the page changes while updates are paused, though values move', async () => {
    const { apiUrl } = venue.devnet
    await holdTraders(venue, false)
    await open('positions', 2)
    const frozen = () =>
      page.evaluate(() =>
        ['.book table', '.facts', '.rows tbody', '.account .pairs'].map(
          (part) => document.querySelector(part)?.textContent ?? '',
        ),
      )
    await page.getByRole('button', { name: /pause updates/i }).click()
    const before = await frozen()
    assert.ok(
      before.every((text) => /\d/.test(text)),
      before.join(' | '),
    )
    const [mark, book] = [await askMarket(rest, MARKET), await askBook(apiUrl)]
    await untilRight(
      'the mark and the book have moved',
      async () => [await askMarket(rest, MARKET), await askBook(apiUrl)] as const,
      ([now, shown]) => now.mark_price !== mark.mark_price && shown !== book,
    )
    assert.deepEqual(await frozen(), before)
    await page.getByRole('button', { name: /pause updates/i }).click()
    await untilRight('every number has moved', frozen, (now) =>
      now.every((text, at) => text !== before[at]),
    )
    const { shown, asked } = await readBoth(page, apiUrl)
    assert.deepEqual(shown, asked)
  })

  test('one button closes every position of any market', async () => {
    await open('positions', 2)
    await act('Close all').click()
    const yes = page.locator('dialog[open] button.primary')
    assert.equal(await yes.textContent(), 'Close 2 positions')
    await yes.click()
    await open('positions', 0)
    await untilRight(
      'no position is open',
      () => rest.call('GET /account'),
      ({ positions }) => positions.every((one) => one.instrument_type !== 'PERPETUAL'),
    )
  })

  test('ended orders and transfers are exported with the values of REST', async () => {
    await tab('history').click()
    const { order_history: past } = await rest.call('GET /order-history', { query: { limit: 100 } })
    const ended = past.map(pastCells)
    assert.ok(ended.length >= 8, `${ended.length} orders have ended`)
    const names = Object.keys(ended[0] ?? {})
    assert.deepEqual(columns(await exportTable(page, 'history'), names), ended)
    const { transaction_history: moved } = await rest.call('GET /transaction-history')
    const transfers = moved.map(transferCells)
    assert.ok(transfers.length > 0)
    const kept = Object.keys(transfers[0] ?? {})
    assert.deepEqual(columns(await exportTable(page, 'transfers'), kept), transfers)
    assert.deepEqual(opened.faults, [])
  })
})

/** Returns the best price of the book, as written by REST. */
const askBook = async (apiUrl: string): Promise<string> => {
  const query = `instrument_name=${MARKET}&depth=10`
  const { bids, asks } = (await (await fetch(`${apiUrl}/orderbook?${query}`)).json()) as {
    bids: unknown
    asks: unknown
  }
  return JSON.stringify([bids, asks])
}

/** Returns true if a field of the form has that value. Runs in the page. */
const isField = (text: string) =>
  [...document.querySelectorAll<HTMLInputElement>('.order input')].some(
    ({ value }) => value === text,
  )
const isNoField = (text: string) =>
  [...document.querySelectorAll<HTMLInputElement>('.order input')].every(
    ({ value }) => value !== text,
  )
