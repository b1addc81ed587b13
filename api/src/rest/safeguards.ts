// Takes what an account leaves to the venue while it is silent: POST /account/cancel-after, /mmp,
// /reset-mmp, and GET /mmp. Nodes write it down; the relayer's watcher acts on it. Interface 4.6.
import { formatRaw } from '@openvenue/core/units'
import { isFrozen, type MmpRule, thawMs } from '@openvenue/store/safeguards'
import type { TSchema } from '@openvenue/wire/field'
import {
  CancelAfterAnswer,
  CancelAfterRequest,
  MmpAnswer,
  MmpQuery,
  MmpRequest,
  MmpReset,
  SafeguardDone,
} from '@openvenue/wire/safeguards'
import { liveCancellers } from '../account/cancellers.ts'
import { lookAtOwner, type Owner } from '../account/owner.ts'
import { answers } from '../http/answer.ts'
import { msToNs, Refusal, type RefusalCode } from '../http/refusals.ts'
import { requireCaller } from '../identity/caller.ts'
import { accountGet } from './account-route.ts'
import { describeAllowance, venueCanceller } from './cancellers.ts'
import { orUnavailable } from './history-page.ts'
import { describedOnly, withExactBodies } from './key-bodies.ts'
import { type OwnerParts, type Parts, type Routes, TAGS } from './route.ts'
import { parseCancelAfter, parseMmp, parseMmpReset } from './safeguard-bodies.ts'

type SafeguardParts = OwnerParts | 'authenticate' | 'settings' | 'relay' | 'safeguards'

const DONE = { success: true } as const
const MILLIONTHS = 6
const PERMISSION: readonly RefusalCode[] = ['CANCEL_SIGNATURE_REQUIRED']

export const safeguardRoutes: Routes<SafeguardParts> = (host, deps) => {
  const { safeguards, authenticate: onRequest } = deps
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
      const { account } = await lookAtOwner(deps, caller.account, (owner) => owner)
      const { rules, nowMs } = await orUnavailable(safeguards.readMmp(account ?? 0))
      return encodeMmp(rules, query.asset, nowMs)
    },
  )
  withExactBodies(host, (scope) => {
    const add = (route: Posting, act: (wallet: string, body: unknown) => Promise<object>) => {
      const { path, summary, takes, gives, refuses = [], scope: needs } = route
      const schema = { tags: TAGS.account, summary, body: takes, response: answers(gives) }
      const all = ['MISSING_PARAMETER', 'HISTORY_UNAVAILABLE', ...refuses] as const
      const config = { isOffChain: true, refuses: all, scope: needs }
      const options = { schema, config, onRequest, validatorCompiler: describedOnly }
      scope.post(path, options, (request) => act(requireCaller(request).account, request.body))
    }
    addTimer(add, deps)
    addMmp(add, deps)
  })
}

type Posting = Readonly<{
  path: string
  summary: string
  takes: TSchema
  gives: TSchema
  refuses?: readonly RefusalCode[]
  scope: 'trade' | 'cancel'
}>
type Add = (route: Posting, act: (wallet: string, body: unknown) => Promise<object>) => void

function addTimer(add: Add, deps: Parts<SafeguardParts>): void {
  const { safeguards } = deps
  add(
    {
      path: '/account/cancel-after',
      summary: 'Cancel all orders unless this is called again in time',
      takes: CancelAfterRequest,
      gives: CancelAfterAnswer,
      refuses: PERMISSION,
      scope: 'cancel',
    },
    async (wallet, body) => {
      const { timeoutMs, includesTriggers } = parseCancelAfter(body)
      if (timeoutMs === 0) {
        const { account } = await lookAtOwner(deps, wallet, (owner) => owner)
        if (account !== undefined) await orUnavailable(safeguards.disarmTimer(account))
        return { success: true, trigger_time: null }
      }
      const account = await requireCanceller(deps, wallet)
      const timer = { account, wallet, timeoutMs, includesTriggers, cancelAlls: [] }
      const { triggerMs } = await orUnavailable(safeguards.armTimer(timer))
      return { success: true, trigger_time: msToNs(triggerMs) }
    },
  )
}

function addMmp(add: Add, deps: Parts<SafeguardParts>): void {
  const { safeguards, model } = deps
  const assets = () => [...new Set([...model.markets].map(({ market }) => market.asset))]
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
      summary: 'Thaw market-maker protection, and count anew',
      takes: MmpReset,
      gives: SafeguardDone,
      refuses: ['MMP_NOT_SET'],
      scope: 'trade',
    },
    async (wallet, body) => {
      const asset = parseMmpReset(body, assets())
      const { account = 0 } = await lookAtOwner(deps, wallet, (owner) => owner)
      if (await orUnavailable(safeguards.resetMmp(account, asset))) return DONE
      const code = 'MMP_NOT_SET'
      const message = 'asset is one with a rule of POST /mmp'
      throw new Refusal(code, { details: [{ field: 'asset', code, message }] })
    },
  )
}

/**
 * Returns the account of a wallet that has allowed the venue to cancel. It is refused now, and not
 * when there is nobody to sign.
 */
async function requireCanceller(
  deps: Parts<OwnerParts | 'settings' | 'relay'>,
  wallet: string,
): Promise<number> {
  const { model } = deps
  const venue = await venueCanceller(deps)
  const look = (owner: Owner) => ({
    account: owner.account,
    isAllowed: liveCancellers(model, owner).some(({ canceller }) => canceller === venue),
  })
  const { account, isAllowed } = await lookAtOwner(deps, wallet, look)
  if (account !== undefined && isAllowed) return account
  const code = 'CANCEL_SIGNATURE_REQUIRED'
  const message =
    'the account allows the venue to cancel for it: sign this AllowCanceller, or send its call ' +
    '(GET /account/cancellers)'
  const allow = await describeAllowance(deps, wallet)
  const how = allow === null ? {} : { typed_data: allow.typed_data, digest: allow.digest }
  throw new Refusal(code, { message, details: [{ field: 'account', code, message, ...how }] })
}

function encodeMmp(rules: readonly MmpRule[], asked: string | undefined, nowMs: number): MmpAnswer {
  const assets = rules.map(({ asset }) => asset)
  const rule = asked === undefined ? rules[0] : rules.find(({ asset }) => asset === asked)
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
