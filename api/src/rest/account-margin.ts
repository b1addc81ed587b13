// POST /account/leverage, /account/margin-type and /account/update-margin. The chain holds these
// settings, so the answer confirms the current one or contains the call that changes it.
import { effectiveLeverage } from '@openvenue/core/margin'
import { emptyPosition } from '@openvenue/core/positions'
import type { Market } from '@openvenue/core/records'
import type { TSchema } from '@openvenue/wire/field'
import {
  LeverageRequest,
  MarginAnswer,
  MarginRequest,
  MarginTypeRequest,
} from '@openvenue/wire/margin'
import { loadOwner } from '../account/owner.ts'
import { answers } from '../http/answer.ts'
import { Refusal, type RefusalCode, type UnsignedTransaction } from '../http/refusals.ts'
import { unsignedCall } from '../identity/account-calls.ts'
import { requireCaller } from '../identity/caller.ts'
import {
  type MarginBody,
  parseLeverage,
  parseMargin,
  parseMarginType,
} from './account-margin-body.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { NO_INSTRUMENT, type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'

const DONE = { success: true } as const

export const accountMarginRoutes: Routes<OwnerParts | 'authenticate' | 'settings'> = (
  host,
  deps,
) => {
  const { model, authenticate: onRequest } = deps
  withExactBodies(host, (scope) => {
    const add = (
      [path, summary]: readonly [string, string],
      [body, code]: readonly [TSchema, RefusalCode],
      act: (account: string, body: unknown) => Promise<typeof DONE>,
    ) => {
      const schema = { tags: TAGS.account, summary, body, response: answers(MarginAnswer) }
      const refuses = ['MISSING_PARAMETER', code, ...NO_INSTRUMENT, 'HISTORY_UNAVAILABLE'] as const
      const config = { isOffChain: true, refuses }
      const options = { schema, config, onRequest, validatorCompiler: describedOnly }
      scope.post(path, options, (request) => act(requireCaller(request).account, request.body))
    }
    add(
      ['/account/leverage', 'Set the leverage of a perpetual: returns the call for the wallet'],
      [LeverageRequest, 'LEVERAGE_BY_WALLET'],
      async (account, body) => requireLeverage(deps, account, parseLeverage(model, body)),
    )
    add(
      ['/account/margin-type', 'Set the margin mode: CROSS, or the call of a sub-account'],
      [MarginTypeRequest, 'ISOLATED_BY_SUB_ACCOUNT'],
      async (_account, body) => requireCross(deps, parseMarginType(model, body)),
    )
    add(
      ['/account/update-margin', 'Move margin to a position: none, or the call of a sub-account'],
      [MarginRequest, 'ISOLATED_BY_SUB_ACCOUNT'],
      async (_account, body) => requireCross(deps, parseMargin(model, body)),
    )
  })
}

async function requireLeverage(
  deps: Parts<OwnerParts | 'settings'>,
  account: string,
  { market, leverage }: Readonly<{ market: Market; leverage: number }>,
): Promise<typeof DONE> {
  const { model, settings } = deps
  const current = await loadOwner(deps, account, ({ account: number = 0 }) => {
    const position = model.state.records.position.get(`${market.id}|${number}`)
    return effectiveLeverage(market, position ?? emptyPosition(market.id, number))
  })
  if (current === leverage) return DONE
  const words = [market.number, leverage] as const
  throw byWallet('LEVERAGE_BY_WALLET', {
    field: 'leverage',
    message:
      `Leverage is ${current} on chain: send this call from the wallet or a signing key registered ` +
      'on chain (for a sub-account, only its own key). A lower leverage requires more initial margin',
    nearest: current,
    call: unsignedCall(market.engine, ['setLeverage(uint32,uint16)', words], settings.chainId),
  })
}

async function requireCross(
  { settings }: Parts<'settings'>,
  { market, isIsolated, field }: MarginBody,
): Promise<typeof DONE> {
  if (!isIsolated) return DONE
  const { accountsContract: contract, chainId } = settings
  const message =
    'Isolated margin requires a sub-account, since positions of an account share margin (CROSS). ' +
    "Send this call from the wallet to open one (index: the market's number), then transfer collateral"
  const call =
    contract === undefined
      ? {}
      : { call: unsignedCall(contract, ['openSub(uint32)', [market.number]], chainId) }
  throw byWallet('ISOLATED_BY_SUB_ACCOUNT', {
    field,
    message,
    nearest: field === 'margin_type' ? 'CROSS' : '0',
    ...call,
  })
}

type Detail = Readonly<{
  field: string
  message: string
  nearest: string | number
  call?: UnsignedTransaction
}>

const byWallet = (code: RefusalCode, detail: Detail): Refusal =>
  new Refusal(code, { message: detail.message, details: [{ code, ...detail }] })
