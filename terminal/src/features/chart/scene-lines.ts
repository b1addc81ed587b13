// Lines across the chart: the last price, mark and index, orders and positions.
import type { ChartLine } from '../order/order-protocol.ts'
import type { ChartColors } from './chart-colors.ts'
import type { CandleNews, DrawnCandle } from './chart-protocol.ts'
import * as text from './text.ts'

const NAMES = ['mark', 'index'] as const
const DOTTED = [1, 3]
const DASHED = [5, 4]

type LineLook = Readonly<{ colors: ChartColors; priceText: (price: number) => string }>

/** Returns lines with their labels. `last`: the last candle that is drawn. */
export function linesOf(
  own: readonly ChartLine[],
  news: CandleNews | undefined,
  last: DrawnCandle | undefined,
  { colors, priceText }: LineLook,
) {
  const line = (price: number, title: string, color: string, dash = DOTTED) => ({
    ...{ price, title, color, dash, text: priceText(price) },
  })
  return [
    // An order's text is on its handle.
    ...own.map(({ price, text: title, tone, orderId }) =>
      orderId === '' ? line(price, title, colors[tone]) : line(price, '', colors[tone], DASHED),
    ),
    ...NAMES.flatMap((name) => {
      const price = news?.[name]
      return price === undefined ? [] : [line(price, text.lineNames[name], colors[name])]
    }),
    ...(last === undefined || news?.hasNewest !== true
      ? []
      : [line(last.close, '', last.close >= last.open ? colors.buy : colors.sell)]),
  ]
}
