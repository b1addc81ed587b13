// Command `edit`: replaces an order and keeps every term that is not changed.
import { ENDED, RefusedError } from 'openvenue'
import { type NewOrder, replacementOf } from 'openvenue/signing'
import { argument, type CommandSpec, given, option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { parseDecimalText } from '../parse.ts'
import type { Session } from '../session.ts'
import { findOrder } from './account.ts'
import { submitOrder } from './place.ts'

type EditOptions = Readonly<{ amount?: string; price?: string; trigger?: string }> &
  Readonly<{ round?: boolean; wait?: boolean }>

export const edit: CommandSpec = {
  name: 'edit',
  summary: 'change the amount, price or trigger of an open order',
  args: [argument('<order-id>', 'id or client order id of the order')],
  options: [
    option('--amount <decimal>', 'total amount including fills; unchanged by default', {
      parse: parseDecimalText,
    }),
    option('--price <decimal>', 'worst acceptable price; unchanged by default', {
      parse: parseDecimalText,
    }),
    option('--trigger <price>', 'mark price that triggers a held order; unchanged by default', {
      parse: parseDecimalText,
    }),
    option('--round', 'round to a step in your favour instead of refusing'),
    option('--wait', 'wait until the order rests or has ended'),
  ],
  examples: ['openvenue edit 0x5b1c… --price 2950', 'openvenue edit my-quote --amount 0.7'],
  changes: true,
  run: async (session, typed) => {
    const options = typed.options as EditOptions
    const { amount, price, trigger } = options
    if (amount === undefined && price === undefined && trigger === undefined)
      throw new UsageError('expected at least one of --amount, --price and --trigger')
    const old = await findOrder(session, given(typed, 0))
    if (ENDED.has(old.order_status))
      throw new UsageError(`order: got status ${old.order_status}, expected an open order`)
    const base = replacementOf(old)
    if (trigger !== undefined && base.trigger === undefined)
      throw new UsageError('--trigger: the order has no trigger')
    const order = {
      ...base,
      ...(amount !== undefined && { amount }),
      ...(price !== undefined && { price }),
      ...(trigger !== undefined &&
        base.trigger !== undefined && { trigger: { ...base.trigger, price: trigger } }),
    }
    await submitEdit(session, order, { ...options, edits: old.order_id })
  },
}

/** Retries without the client order id if the venue reserves it until the old order has ended. */
async function submitEdit(
  session: Session,
  order: NewOrder,
  options: EditOptions & Readonly<{ edits: string }>,
): Promise<void> {
  try {
    await submitOrder(session, order, options)
  } catch (error) {
    const { clientOrderId: _, ...unnamed } = order
    if (!isNameTaken(error)) throw error
    session.output.note('the venue reserves the client order id for the old order', 'yellow')
    await submitOrder(session, unnamed, options)
  }
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof RefusedError && error.details.some(({ field }) => field === 'client_order_id')
