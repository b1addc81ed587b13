// Shows the messages that would be signed and sent, with the venue's preview of the result.
import type { shapes } from 'openvenue'
import { digestOf, type NewOrder, type OrderToSign } from 'openvenue/signing'
import { numbers, printable, words } from '../columns.ts'
import { problemText } from '../error-text.ts'
import { humanProblem } from '../order-refusal.ts'
import { bigintText } from '../output.ts'
import type { Session } from '../session.ts'

const PREVIEW = [
  words('is_accepted', (p: shapes.OrderPreview) => (p.is_accepted ? 'yes' : 'no'), {
    title: 'would be accepted',
    style: ({ is_accepted }) => (is_accepted ? 'green' : 'red'),
  }),
  numbers('filled', (p: shapes.OrderPreview) => p.filled, { title: 'filled immediately' }),
  numbers('resting', (p: shapes.OrderPreview) => p.resting),
  numbers('cancelled', (p: shapes.OrderPreview) => p.cancelled),
  numbers('avg_price', (p: shapes.OrderPreview) => p.avg_price, { title: 'average price' }),
  numbers('worst_price', (p: shapes.OrderPreview) => p.worst_price),
  numbers('fees', (p: shapes.OrderPreview) => p.fees),
  numbers('position', (p: shapes.OrderPreview) => p.position, { title: 'position after' }),
  numbers('liquidation_price', (p: shapes.OrderPreview) => p.liquidation_price, { decimals: 4 }),
  numbers('available_margin', (p: shapes.OrderPreview) => p.margin?.after?.available_margin, {
    title: 'free margin after',
    decimals: 6,
  }),
]

/** A transaction or request that a dry run does not send. */
export type DryRunRequest = Readonly<{ what: string; to: string; body: unknown }>

/** Shows an order without placing it. Requests only a preview, which changes nothing. */
export async function showOrderPlan(
  session: Session,
  order: NewOrder,
  { data, body }: OrderToSign,
): Promise<void> {
  const { output } = session
  const rest = await session.rest()
  const preview = await rest.call('POST /orders/preview', { body })
  const digest = digestOf(data)
  output.note('dry run: nothing is signed or sent', 'yellow')
  if (output.format === 'json')
    return output.json({ dry_run: true, typed_data: data, digest, body, preview })
  const { market } = (await session.venue()).market(order.market)
  const { order_id } = preview
  const refusals = preview.refusals.map((problem) => humanProblem(problem, market))
  if (output.format === 'table') {
    output.line(orderText(order))
    output.line(
      `would sign an order for ${data.domain.verifyingContract} on chain ${data.domain.chainId}`,
    )
    for (const line of factLines({ ...data.message, digest: order_id })) output.line(line)
    output.line('')
  }
  output.facts(preview, preview, PREVIEW)
  for (const problem of refusals)
    output.note(`${problem.code}: ${printable(problemText(problem))}`, 'red')
}

const orderText = ({ side, amount, market, price, trigger, replaces }: NewOrder): string =>
  [
    `${side} ${amount} ${market} at ${price} or better`,
    ...(trigger === undefined ? [] : [`held until the mark reaches ${trigger.price}`]),
    ...(replaces === undefined ? [] : ['replacing the edited order']),
  ].join(', ')

/** Shows the messages of a dry run. */
export function showPlan(session: Session, unsent: readonly DryRunRequest[]): void {
  const { output } = session
  output.note('dry run: nothing is signed or sent', 'yellow')
  const answer = { dry_run: true, unsent }
  const columns = [
    words('what', (message: DryRunRequest) => message.what),
    words('to', (message: DryRunRequest) => message.to),
    words('body', (message: DryRunRequest) => JSON.stringify(essence(message.body), bigintText)),
  ]
  output.show({ answer, rows: unsent, columns })
}

/** Leaves the types of a message to `--json`. */
const essence = (body: unknown): unknown =>
  (body as { typed_data?: { message?: unknown } } | null)?.typed_data?.message ?? body

const factLines = (facts: Readonly<Record<string, unknown>>): string[] => {
  const width = Math.max(...Object.keys(facts).map((name) => name.length))
  return Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}
