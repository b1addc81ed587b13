// DELETE /orders/{order_id}. Interface 4.6.
import { CancelledOrder, CancelRequest } from '@openvenue/wire/order-answers'
import { pathSchema } from '@openvenue/wire/pagination'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import type { FieldError, RefusalCode } from '../http/refusals.ts'
import { fieldRefusal } from '../http/validation.ts'
import { requireCaller } from '../identity/caller.ts'
import { type CancelSignature, cancelOrder } from '../orders/cancel-orders.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type Routes, TAGS } from './route.ts'

const REFUSES: readonly RefusalCode[] = [
  'ORDER_DOES_NOT_EXIST',
  'CANCEL_SIGNATURE_REQUIRED',
  'ORDER_BAD_SIGNING_KEY',
  'TRADING_NOT_LIVE',
  'HISTORY_UNAVAILABLE',
]

export const orderCancelRoutes: Routes<'orderParts' | 'authenticate'> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  const config = { refuses: REFUSES, scope: 'cancel' } as const
  const schema = {
    tags: TAGS.orders,
    summary: 'Cancel an order, by order_id or chain_order_id',
    params: pathSchema({ order_id: 'order_id or chain_order_id.' }),
    body: CancelRequest,
    response: answers(CancelledOrder),
  }
  const options = { config, onRequest, schema, validatorCompiler: describedOnly }
  withExactBodies(host, (scope) => {
    scope.delete('/orders/:order_id', options, async (request, reply) => {
      const { order_id: id = '' } = request.params as Readonly<Record<string, string>>
      const members = { ...(request.query as object), ...(request.body as object | undefined) }
      const cancelled = await cancelOrder(orderParts, requireCaller(request), id, signed(members))
      return answerOnce(reply, jsonBytes(cancelled), orderParts.model.head)
    })
  })
}

const SIGNATURE = /^(?:0x)?([0-9a-f]{128}(?:1b|1c))$/i

/** Returns the signature that came with a cancel, if one did. */
function signed(members: Readonly<Record<string, unknown>>): CancelSignature | undefined {
  const { signature, deadline, ...others } = members
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw wrong(unknown.slice(0, 64), 'is no member of a cancel')
  if (signature === undefined && deadline === undefined) return undefined
  const [, hex] = SIGNATURE.exec(String(signature)) ?? []
  if (hex === undefined) throw wrong('signature', 'is 65 bytes of hex that end in 1b or 1c')
  if (!/^\d{1,78}$/.test(String(deadline))) throw wrong('deadline', 'is Unix seconds, as signed')
  return { signature: `0x${hex.toLowerCase()}`, deadline: BigInt(String(deadline)) }
}

const wrong = (field: string, rule: string) => {
  const error: FieldError = { field, code: 'INVALID_PARAMETER', message: `${field} ${rule}` }
  return fieldRefusal([error])
}
