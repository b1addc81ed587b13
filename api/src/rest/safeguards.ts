// Safeguards of an account that is offline: POST /account/cancel-after,
// /account/cancel-on-disconnect, /mmp, /reset-mmp, and their GET endpoints. Interface 4.6.
import { formatRaw } from '@openvenue/core/units'
import { isFrozen, type MmpRule, thawMs } from '@openvenue/store/intents/safeguards'
import { NoQuery } from '@openvenue/wire/account'
import type { TSchema } from '@openvenue/wire/field'
import {
  CancelAfterAnswer,
  CancelAfterRequest,
  DisconnectAnswer,
  DisconnectRequest,
  MmpAnswer,
  MmpQuery,
  MmpRequest,
  MmpReset,
  SafeguardDone,
} from '@openvenue/wire/safeguards'
import { loadOwner } from '../account/owner.ts'
import { answers } from '../http/answer.ts'
import { msToNs, orUnavailable, Refusal, type RefusalCode } from '../http/refusals.ts'
import { requireCaller } from '../identity/caller.ts'
import type { VenueModel } from '../model/venue-model.ts'
import { cancelAfter } from '../orders/cancel/cancel-after.ts'
import { requireCanceller } from '../orders/cancel/cancel-authority.ts'
import { knownAsset, parseDisconnect, parseMmp, parseMmpReset } from '../orders/relay/safeguards.ts'
import { accountGet } from './account-route.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'

type SafeguardParts =
  | OwnerParts
  | 'authenticate'
  | 'settings'
  | 'relay'
  | 'safeguards'
  | 'orderParts'

const DONE = { success: true } as const
const MILLIONTHS = 6
const PERMISSION: readonly RefusalCode[] = ['CANCEL_SIGNATURE_REQUIRED']
const SIGNED: readonly RefusalCode[] = [
  ...PERMISSION,
  'INSTRUMENT_NOT_FOUND',
  'ORDER_BAD_SIGNATURE',
  'ORDER_BAD_SIGNING_KEY',
  'ORDER_INVALID_SALT',
  'CHAIN_UNAVAILABLE',
]

export const safeguardRoutes: Routes<SafeguardParts> = (host, deps) => {
  const { safeguards, authenticate: onRequest } = deps
  const assets = () => assetsOf(deps.model)
  accountGet(
    host,
    deps,
    {
      path: '/mmp',
      below: '/mmp',
      isOffChain: true,
      summary: 'Market-maker protection of the account',
      query: MmpQuery,
      body: MmpAnswer,
    },
    async ({ caller, query }) => {
      const asset = query.asset ? knownAsset(query.asset, assets()) : undefined
      const { account } = await loadOwner(deps, caller.account, (owner) => owner)
      const { rules, nowMs } = await orUnavailable(safeguards.readMmp(account ?? 0))
      return encodeMmp(rules, asset, nowMs)
    },
  )
  accountGet(
    host,
    deps,
    {
      path: '/account/cancel-on-disconnect',
      below: '/cancel-on-disconnect',
      isOffChain: true,
      summary: 'Cancel-on-disconnect of the account',
      query: NoQuery,
      body: DisconnectAnswer,
    },
    async ({ caller }): Promise<DisconnectAnswer> => {
      const { account } = await loadOwner(deps, caller.account, (owner) => owner)
      const enabled =
        account !== undefined && (await orUnavailable(safeguards.readDisconnect(account)))
      return { enabled }
    },
  )
  withExactBodies(host, (scope) => {
    const add = (route: PostRoute, act: (wallet: string, body: unknown) => Promise<object>) => {
      const { path, summary, takes, gives, refuses = [], scope: needs } = route
      const schema = { tags: TAGS.account, summary, body: takes, response: answers(gives) }
      const all = ['MISSING_PARAMETER', 'HISTORY_UNAVAILABLE', ...refuses] as const
      const config = { isOffChain: true, refuses: all, scope: needs }
      const options = { schema, config, onRequest, validatorCompiler: describedOnly }
      scope.post(path, options, (request) => act(requireCaller(request).account, request.body))
    }
    addTimer(add, deps)
    addDisconnect(add, deps)
    addMmp(add, deps)
  })
}

type PostRoute = Readonly<{
  path: string
  summary: string
  takes: TSchema
  gives: TSchema
  refuses?: readonly RefusalCode[]
  scope: 'trade' | 'cancel'
}>
type AddRoute = (route: PostRoute, act: (wallet: string, body: unknown) => Promise<object>) => void

function addTimer(add: AddRoute, deps: Parts<SafeguardParts>): void {
  add(
    {
      path: '/account/cancel-after',
      summary: 'Cancel all orders unless this is called again in time',
      takes: CancelAfterRequest,
      gives: CancelAfterAnswer,
      refuses: SIGNED,
      scope: 'cancel',
    },
    (wallet, body) => cancelAfter(deps.orderParts, wallet, body),
  )
}

function addDisconnect(add: AddRoute, deps: Parts<SafeguardParts>): void {
  const { safeguards, orderParts } = deps
  add(
    {
      path: '/account/cancel-on-disconnect',
      summary: 'Set cancel-on-disconnect: orders placed over a socket end with its connection',
      takes: DisconnectRequest,
      gives: SafeguardDone,
      refuses: PERMISSION,
      scope: 'cancel',
    },
    async (wallet, body) => {
      const isEnabled = parseDisconnect(body)
      const { account } = isEnabled
        ? { account: await requireCanceller(deps, wallet) }
        : await loadOwner(deps, wallet, (owner) => owner)
      if (account === undefined) return DONE
      await orUnavailable(safeguards.setDisconnect({ account, isEnabled }))
      // The next order over this node uses it; other nodes are notified at the same time.
      await orUnavailable(orderParts.safeguardBook.refresh())
      return DONE
    },
  )
}

/** Assets with a market. */
const assetsOf = ({ markets }: VenueModel): readonly string[] => [
  ...new Set([...markets].map(({ market }) => market.asset)),
]

function addMmp(add: AddRoute, deps: Parts<SafeguardParts>): void {
  const { safeguards, model } = deps
  const assets = () => assetsOf(model)
  add(
    {
      path: '/mmp',
      summary: 'Set market-maker protection on an asset',
      takes: MmpRequest,
      gives: SafeguardDone,
      refuses: PERMISSION,
      scope: 'trade',
    },
    async (wallet, body) => {
      const rule = parseMmp(body, assets())
      const account = await requireCanceller(deps, wallet)
      await orUnavailable(safeguards.setMmp({ ...rule, account, wallet }))
      return DONE
    },
  )
  add(
    {
      path: '/reset-mmp',
      summary: 'Thaw market-maker protection, and restart its counts',
      takes: MmpReset,
      gives: SafeguardDone,
      refuses: ['MMP_NOT_SET'],
      scope: 'trade',
    },
    async (wallet, body) => {
      const asset = parseMmpReset(body, assets())
      const { account = 0 } = await loadOwner(deps, wallet, (owner) => owner)
      if (await orUnavailable(safeguards.resetMmp(account, asset))) return DONE
      const code = 'MMP_NOT_SET'
      const message = 'asset has no protection: expected one set by POST /mmp'
      throw new Refusal(code, { details: [{ field: 'asset', code, message }] })
    },
  )
}

function encodeMmp(
  rules: readonly MmpRule[],
  wantedAsset: string | undefined,
  nowMs: number,
): MmpAnswer {
  const assets = rules.map(({ asset }) => asset)
  const rule =
    wantedAsset === undefined ? rules[0] : rules.find(({ asset }) => asset === wantedAsset)
  if (rule === undefined) return { enabled: false, triggered: false, assets }
  const thaw = thawMs(rule)
  const isTriggered = isFrozen(rule, nowMs)
  return {
    enabled: rule.intervalSeconds > 0,
    triggered: isTriggered,
    asset: rule.asset,
    interval: String(rule.intervalSeconds),
    frozen: String(rule.frozenSeconds),
    ...(isTriggered && Number.isFinite(thaw) ? { frozen_end_time: msToNs(thaw ?? 0) } : {}),
    amount_limit: rule.amountLimit.toString(),
    ...(rule.deltaLimit === undefined
      ? {}
      : { delta_limit: formatRaw(rule.deltaLimit, MILLIONTHS) }),
    assets,
  }
}
