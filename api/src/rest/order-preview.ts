// POST /orders/preview and POST /orders/build: the effect of an order, and the call that places it.
// Neither changes anything.
import { OrderBuilt, OrderPreview, OrderRequest } from '@openvenue/wire/order-entry'
import { answers } from '../http/answer.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { requireCaller } from '../identity/caller.ts'
import { answerBuild, answerPreview, PREVIEW_WEIGHT } from '../orders/preview/order-preview.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { NO_INSTRUMENT, type Routes, TAGS } from './route.ts'

/** Codes of an order's body, for previews and builds. */
const OF_BODIES: readonly RefusalCode[] = [
  ...NO_INSTRUMENT,
  'MISSING_PARAMETER',
  'MALFORMED_ADDRESS',
  'FORBIDDEN_ACCOUNT',
  'INVALID_PRICE_STEP_SIZE',
  'INVALID_AMOUNT_STEP_SIZE',
  'ORDER_BAD_SIGNATURE',
  'HISTORY_UNAVAILABLE',
]
/** Codes of rules that do not depend on the market's state. */
const OF_RULES: readonly RefusalCode[] = [
  'BELOW_MIN_ORDER_VALUE',
  'EXCEED_MAX_ORDER_VALUE',
  'INSTRUMENT_PAUSED',
  'ORDER_TIMED_OUT',
  'ORDER_EXPIRED',
]

export const orderPreviewRoutes: Routes<'orderParts' | 'authenticate'> = (host, deps) => {
  const { orderParts, authenticate: onRequest } = deps
  const tags = TAGS.orders
  withExactBodies(host, (scope) => {
    const preview = {
      tags,
      summary: 'Preview of an order at the newest block',
      body: OrderRequest,
      response: answers(OrderPreview),
    }
    const config = {
      isOffChain: true,
      isReadOnly: true,
      scope: 'read',
      weight: PREVIEW_WEIGHT,
      refuses: [...OF_BODIES, 'CHAIN_UNAVAILABLE'],
    } as const
    const options = { onRequest, validatorCompiler: describedOnly }
    scope.post('/orders/preview', { ...options, schema: preview, config }, (request) =>
      answerPreview(orderParts, { account: requireCaller(request).account, body: request.body }),
    )
    const build = {
      tags,
      summary: 'The call that places an order, for a wallet that sends its own transactions',
      body: OrderRequest,
      response: answers(OrderBuilt),
    }
    const ofBuild = {
      isOffChain: true,
      isReadOnly: true,
      scope: 'read',
      refuses: [...OF_BODIES, ...OF_RULES, 'TRADING_NOT_LIVE'],
    } as const
    scope.post('/orders/build', { ...options, schema: build, config: ofBuild }, (request) =>
      answerBuild(orderParts, { account: requireCaller(request).account, body: request.body }),
    )
  })
}
