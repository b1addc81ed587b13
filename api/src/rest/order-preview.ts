// POST /orders/preview and POST /orders/build: what an order would do, and the call that places it.
// Neither changes anything.
import { OrderBuilt, OrderPreview, OrderRequest } from '@openvenue/wire/order-entry'
import { answers } from '../http/answer.ts'
import type { RefusalCode } from '../http/refusals.ts'
import { requireCaller } from '../identity/caller.ts'
import {
  answerBuild,
  answerPreview,
  PREVIEW_WEIGHT,
  type QuestionParts,
} from '../orders/order-questions.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { NO_INSTRUMENT, type Parts, type Routes, TAGS } from './route.ts'

/** Codes of an order's body, whatever is asked of it. */
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
/** Of rules that no state of the market changes. */
const OF_RULES: readonly RefusalCode[] = [
  'BELOW_MIN_ORDER_VALUE',
  'EXCEED_MAX_ORDER_VALUE',
  'INSTRUMENT_PAUSED',
  'ORDER_TIMED_OUT',
  'ORDER_EXPIRED',
]

type PreviewParts =
  | 'model'
  | 'clock'
  | 'settings'
  | 'wallets'
  | 'owned'
  | 'history'
  | 'signers'
  | 'orderChain'
  | 'authenticate'

export const orderPreviewRoutes: Routes<PreviewParts> = (host, deps) => {
  const { authenticate: onRequest } = deps
  const parts = questionParts(deps)
  const tags = TAGS.orders
  withExactBodies(host, (scope) => {
    const preview = {
      tags,
      summary: 'What an order would do at the newest block',
      body: OrderRequest,
      response: answers(OrderPreview),
    }
    const config = {
      isOffChain: true,
      scope: 'read',
      weight: PREVIEW_WEIGHT,
      refuses: [...OF_BODIES, 'CHAIN_UNAVAILABLE'],
    } as const
    const options = { onRequest, validatorCompiler: describedOnly }
    scope.post('/orders/preview', { ...options, schema: preview, config }, (request) =>
      answerPreview(parts, { account: requireCaller(request).account, body: request.body }),
    )
    const build = {
      tags,
      summary: 'The call that places an order, for a wallet that sends for itself',
      body: OrderRequest,
      response: answers(OrderBuilt),
    }
    const ofBuild = {
      isOffChain: true,
      scope: 'read',
      refuses: [...OF_BODIES, ...OF_RULES, 'TRADING_NOT_LIVE'],
    } as const
    scope.post('/orders/build', { ...options, schema: build, config: ofBuild }, (request) =>
      answerBuild(parts, { account: requireCaller(request).account, body: request.body }),
    )
  })
}

/** Returns what previews and builds stand on. */
const questionParts = (deps: Parts<PreviewParts>): QuestionParts => ({
  ...deps,
  simulate: deps.orderChain.simulate,
  simulateBlock: deps.orderChain.simulateBlock,
})
