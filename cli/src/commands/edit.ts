// Command `edit`: puts an order in place of another one, with what is not changed kept.
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
  summary: 'change the amount, the price or the trigger of an open order',
  args: [argument('<order-id>', 'of the order, or your own name of it')],
  options: [
    option('--amount <decimal>', 'the total, with what has filled; as before by default', {
      parse: parseDecimalText,
    }),
    option('--price <decimal>', 'the worst price that you accept; as before by default', {
      parse: parseDecimalText,
    }),
    option('--trigger <price>', 'the mark that fires a held order; as before by default', {
      parse: parseDecimalText,
    }),
    option('--round', 'round what is between two steps, never to be worse for you'),
    option('--wait', 'until it rests or has ended'),
  ],
  examples: ['openvenue edit 0x5b1c… --price 2950', 'openvenue edit my-quote --amount 0.7'],
  changes: true,
  run: async (session, typed) => {
    const options = typed.options as EditOptions
    const { amount, price, trigger } = options
    if (amount === undefined && price === undefined && trigger === undefined)
      throw new UsageError('--amount, --price or --trigger is needed: what is to change?')
    const old = await findOrder(session, given(typed, 0))
    if (ENDED.has(old.order_status)) throw new UsageError(`the order is ${old.order_status}`)
    const kept = replacementOf(old)
    if (trigger !== undefined && kept.trigger === undefined)
      throw new UsageError('--trigger is for an order that is held until a mark: this one is not')
    const order = {
      ...kept,
      ...(amount !== undefined && { amount }),
      ...(price !== undefined && { price }),
      ...(trigger !== undefined &&
        kept.trigger !== undefined && { trigger: { ...kept.trigger, price: trigger } }),
    }
    await submitEdit(session, order, { ...options, edits: old.order_id })
  },
}

/** A venue that keeps the name for the old order until that has ended takes the edit without it. */
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
    session.output.note('the venue keeps the name for the order before', 'yellow')
    await submitOrder(session, unnamed, options)
  }
}

const isNameTaken = (error: unknown): boolean =>
  error instanceof RefusedError && error.details.some(({ field }) => field === 'client_order_id')
