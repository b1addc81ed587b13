// Uses the order form as a user would, and reads the resulting orders from REST.
import { fromRaw, type Rest, type shapes } from 'openvenue'
import type { Locator, Page, Response } from 'playwright-core'
import { untilRight } from './polling.ts'

type Level = Readonly<{ price: string; amount: string }>
type Answer = Readonly<Record<string, unknown>>

export class OrderForm {
  readonly page: Page
  readonly rest: Rest
  readonly market: shapes.Market

  constructor(page: Page, rest: Rest, market: shapes.Market) {
    this.page = page
    this.rest = rest
    this.market = market
  }

  readonly field = (label: RegExp): Locator => this.page.locator('.order').getByLabel(label)
  readonly press = (name: string): Promise<void> =>
    this.page.locator('.order').getByRole('button', { name, exact: true }).click()
  /** Moves the slider of the size, in percent. */
  readonly slide = (percent: bigint): Promise<void> =>
    this.page.locator('.order-slider input').fill(`${percent}`)
  readonly flag = (label: RegExp, isOn: boolean): Promise<void> =>
    this.field(label).setChecked(isOn)
  readonly force = (name: string): Promise<unknown> =>
    this.page.locator('.order select').selectOption(name)
  readonly side = (name: 'buy' | 'sell'): Promise<void> =>
    this.page.locator(`.order .sides .${name}`).click()
  /** A broken rule of the draft, by its text. */
  readonly rule = (text: RegExp): Locator =>
    this.page.locator('.order-rule').filter({ hasText: text })

  /** Sends the form, and returns the venue's answer to each of its orders. */
  async send(orders = 1): Promise<readonly Answer[]> {
    const answers: Answer[] = []
    const take = async (response: Response) => {
      const isPost = response.request().method() === 'POST'
      if (isPost && new URL(response.url()).pathname === '/orders')
        answers.push((await response.json()) as Answer)
    }
    const listen = (response: Response) => void take(response)
    this.page.on('response', listen)
    await this.page.locator('.place:enabled').click()
    await untilRight(
      'every order is answered',
      async () => answers,
      ({ length }) => length >= orders,
    )
    this.page.off('response', listen)
    return answers
  }

  /** Sends the form, and returns the order of REST once it is no longer pending. */
  async place(): Promise<shapes.Order> {
    return this.find((await this.send())[0]?.order_id)
  }

  find(id: unknown): Promise<shapes.Order> {
    const path = { order_id: String(id) }
    return untilRight(
      'the order is not pending',
      () => this.rest.call('GET /orders/{order_id}', { path, query: { include: 'closed' } }),
      ({ order_status: status }) => status !== 'pending',
    )
  }

  /** Returns the best ask of REST, in human units. */
  async bestAsk(): Promise<Level> {
    const { instrument_name, quote_decimals, base_decimals } = this.market
    const { asks } = await this.rest.call('GET /orderbook', {
      query: { instrument_name, depth: 1 },
    })
    const { price = '0', amount = '0' } = asks[0] ?? {}
    return {
      price: fromRaw(BigInt(price), quote_decimals),
      amount: fromRaw(BigInt(amount), base_decimals),
    }
  }
}

export async function askMarket(rest: Rest, name: string): Promise<shapes.Market> {
  return rest.call('GET /markets/{instrument_id}', { path: { instrument_id: name } })
}
