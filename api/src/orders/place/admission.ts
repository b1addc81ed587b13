// Stages of placing that decide whether orders are admitted: authorise (the signer), check (rules
// in memory, salts), simulate (one question to the chain about all that are left) and refuse. Each
// takes a batch of items and returns a batch. Interface 4.6.
import type { Intent, NewIntent } from '@openvenue/store/intents/intents'
import type { Owner } from '../../account/owner.ts'
import { type FieldError, Refusal } from '../../http/refusals.ts'
import type { OrderParts } from '../order-parts.ts'
import { findOrder, showOrder } from '../relay/find-order.ts'
import { nameSpender, type SaltBook, saltProblems } from '../relay/salts.ts'
import type { ParsedOrder } from '../rules/order-body.ts'
import { checkOrder, isHeldBack } from '../rules/order-checks.ts'
import { orderRefusal, problem } from '../rules/order-rules.ts'
import { type DomainSettings, orderTypedData } from '../rules/signed-order.ts'
import { recoverSigner } from '../rules/signing-keys.ts'

/** An order, with the rules that it breaks as far as the stages have found. */
type CheckedOrder = Readonly<{ order: ParsedOrder; problems: readonly FieldError[] }>
/** An intent that has room in the queue, before it is written. */
export type ReservedIntent = Readonly<{ reserved: NewIntent }>
/** An order that the venue has accepted, now or before. */
export type AdmittedOrder = Readonly<{ intent: Intent; isReplay: boolean }>

export type BatchItem = CheckedOrder | ReservedIntent | AdmittedOrder | Refusal
/** One item for each body of a request, in their order. */
export type OrderBatch = readonly BatchItem[]

export const isOrder = (item: BatchItem): item is CheckedOrder => 'order' in item
export const isReserved = (item: BatchItem): item is ReservedIntent => 'reserved' in item

/** Returns the batch with the selected items replaced by what `stage` makes of them. */
export async function advance<T extends BatchItem>(
  batch: OrderBatch,
  isSelected: (item: BatchItem) => item is T,
  stage: (items: readonly T[]) => OrderBatch | Promise<OrderBatch>,
): Promise<OrderBatch> {
  const selected = batch.filter(isSelected)
  const advanced = new Map<BatchItem, BatchItem | undefined>()
  for (const [index, item] of (await stage(selected)).entries())
    advanced.set(selected[index] as T, item)
  return batch.map((item) => advanced.get(item) ?? item)
}

/** Services of these stages: a test has a chain of its own, and no database. */
type AdmissionParts = Pick<OrderParts, 'model' | 'signers' | 'simulate'> &
  Readonly<{
    clock: Pick<OrderParts['clock'], 'nowMs'>
    owned: Pick<OrderParts['owned'], 'look'>
    intentBook: SaltBook
    settings: DomainSettings
  }>

const withProblems = (item: CheckedOrder, more: readonly FieldError[]): CheckedOrder =>
  more.length === 0 ? item : { ...item, problems: [...item.problems, ...more] }

/** Checks signatures. Refuses with 503 while the database is away. */
export const authorise = (
  { clock, signers, settings }: Pick<AdmissionParts, 'clock' | 'signers' | 'settings'>,
  { account }: Owner,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isOrder, (items) => {
    const facts = { signers, settings, account, nowSeconds: Math.floor(clock.nowMs() / 1000) }
    return Promise.all(
      items.map(async (item) =>
        withProblems(item, (await checkSigner(facts, item.order)).problems),
      ),
    )
  })

/** Checks rules in memory, at the head of this node. */
export const check = (
  { clock, model, owned }: Pick<AdmissionParts, 'clock' | 'model' | 'owned'>,
  owner: Owner,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isOrder, (items) => {
    const nowSeconds = Math.floor(clock.nowMs() / 1000)
    const facts = { model, account: owner.account, nowSeconds }
    return owned.look(owner, () =>
      items.map((item) => withProblems(item, checkOrder(facts, item.order))),
    )
  })

/** Checks that no other order of the account brings the same salt to the chain. */
const checkSalts = (
  { intentBook }: Pick<AdmissionParts, 'intentBook'>,
  { account }: Owner,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isOrder, (items) =>
    items.map((item) => withProblems(item, saltProblems(intentBook, account, item.order))),
  )

/** Asks the chain about orders that break no rule. Throws CHAIN_UNAVAILABLE. */
const simulate = (
  parts: Pick<AdmissionParts, 'simulate' | 'intentBook'>,
  { account }: Owner,
  batch: OrderBatch,
): Promise<OrderBatch> =>
  advance(batch, isOrder, async (items) => {
    const isLeft = ({ order, problems }: CheckedOrder) =>
      problems.length === 0 && !isHeldBack(order)
    const left = items.filter(isLeft)
    const verdicts = await parts.simulate(left.map(({ order }) => order))
    return items.map((item) => {
      const verdict = verdicts[left.indexOf(item)]
      if (verdict === undefined) return item
      return withProblems(item, [nameSpender(parts.intentBook, account, item.order, verdict)])
    })
  })

/** Runs the stages that find the rules that orders of one maker break. */
export async function admit(
  parts: AdmissionParts,
  owner: Owner,
  batch: OrderBatch,
): Promise<OrderBatch> {
  const authorised = await authorise(parts, owner, batch)
  const checked = await checkSalts(parts, owner, await check(parts, owner, authorised))
  return simulate(parts, owner, checked)
}

/* REFUSE */

/**
 * Turns orders that break a rule into refusals. An order that ended is no longer in memory: where a
 * repeat of it is refused, the database still has its intent, which is the item then.
 */
export const refuse = (parts: OrderParts, owner: Owner, batch: OrderBatch): Promise<OrderBatch> =>
  advance(batch, isOrder, async (items) => {
    const refusals = new Map(items.map((item) => [item, findRefusal(parts, owner, item)]))
    const refused = items.filter((item) => refusals.get(item) !== undefined)
    const earlier = await findEarlier(parts, refused)
    const outcomes: BatchItem[] = []
    for (const item of items) {
      const refusal = refusals.get(item)
      outcomes.push(
        refusal === undefined
          ? item
          : (earlier.get(item.order.digest) ??
              (await withLastState(parts, owner, item.order, refusal))),
      )
    }
    return outcomes
  })

const findRefusal = (
  { safeguardBook }: OrderParts,
  { account }: Owner,
  { order, problems }: CheckedOrder,
): Refusal | undefined =>
  frozenRefusal(safeguardBook, account ?? 0, order) ??
  (problems.length === 0 ? undefined : orderRefusal(problems))

async function findEarlier(
  { intents }: OrderParts,
  refused: readonly CheckedOrder[],
): Promise<ReadonlyMap<string, AdmittedOrder>> {
  if (refused.length === 0) return new Map()
  const earlier = await intents.find(refused.map(({ order }) => order.digest))
  return new Map(earlier.map((intent) => [intent.id, { intent, isReplay: true }]))
}

/** Adds the last known state of the order that was to be replaced, where that does not rest. */
async function withLastState(
  parts: OrderParts,
  owner: Owner,
  { order }: ParsedOrder,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.code !== 'ORDER_DOES_NOT_EXIST') return refusal
  // Without the database the refusal stays the same.
  const replaced = await findOrder(parts, owner, order.replaces).catch(() => undefined)
  const shown = replaced && showOrder(parts.model, owner, replaced)
  if (shown === undefined) return refusal
  const { order_id, order_status } = shown
  const { details = [] } = refusal.options
  const named = details.map((detail) =>
    detail.field === 'replaces'
      ? { ...detail, facts: { ...detail.facts, order_id, order_status } }
      : detail,
  )
  return new Refusal(refusal.code, { ...refusal.options, details: named })
}

/** When to come back while the end of the freeze is unknown. */
const FROZEN_RETRY_MS = 1000

/** Returns the refusal of an order whose market-maker protection is frozen. */
function frozenRefusal(
  book: OrderParts['safeguardBook'],
  account: number,
  { market, unsigned }: ParsedOrder,
): Refusal | undefined {
  const ms = unsigned.isMmp ? book.frozenMs(account, market.asset) : undefined
  if (ms === undefined) return undefined
  const code = 'MMP_FROZEN'
  const message = `Market-maker protection on ${market.asset} is frozen: wait, or send POST /reset-mmp`
  const retryAfterMs = Number.isFinite(ms) ? ms : FROZEN_RETRY_MS
  // Without the flag an order is not protected, so the refusal does not suggest to leave it out.
  const details = [{ field: 'mmp', code, message } as const]
  return new Refusal(code, { message, retryAfterMs, details })
}

/* THE SIGNER */

type SignerFacts = Pick<OrderParts, 'signers'> &
  Readonly<{
    settings: DomainSettings
    /** Number of the maker on the chain; undefined while it has none. */
    account: number | undefined
    nowSeconds: number
  }>

/** The signer of an order, and the rules that it breaks. */
type CheckedSigner = Readonly<{ signer: string | undefined; problems: readonly FieldError[] }>

/** Checks the signature of an order that has one. Refuses with 503 while the database is away. */
export async function checkSigner(facts: SignerFacts, parsed: ParsedOrder): Promise<CheckedSigner> {
  const { settings } = facts
  const { market, order, digest, signature } = parsed
  if (signature === undefined) return { signer: undefined, problems: [] }
  const signer = recoverSigner(digest, signature)
  const seen = { digest, typed_data: orderTypedData(settings, market, order) }
  if (signer === undefined) {
    const rule = 'signature is invalid: expected a signature of the typed data'
    return { signer, problems: [problem('ORDER_BAD_SIGNATURE', ['signature', rule], seen)] }
  }
  const reason = await unfitness(facts, order.account, signer)
  if (reason === undefined) return { signer, problems: [] }
  const rule =
    `signature is invalid: got signer ${signer} (${reason}), expected the wallet ` +
    `${order.account} or a live signing key of it`
  const given = { recovered: signer, ...seen }
  return { signer, problems: [problem('ORDER_BAD_SIGNING_KEY', ['signature', rule], given)] }
}

async function unfitness(
  { signers, account, nowSeconds }: SignerFacts,
  wallet: string,
  signer: string,
): Promise<string | undefined> {
  if (account === undefined) return 'the wallet has no account: its first deposit opens one'
  if (signer === wallet) return undefined
  const key = await signers.find(signer)
  if (key === undefined) return 'not a registered key; the signed message may differ'
  if (key.account !== account) return 'a key of another account'
  if (key.isRevoked) return 'a revoked key'
  return key.expirySeconds <= nowSeconds ? `a key that expired at ${key.expirySeconds}` : undefined
}
