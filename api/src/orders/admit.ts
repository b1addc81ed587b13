// Says of each order of a list why it would be refused: by its signer, by what this node knows, by
// what is on its way already, and last, in one question, by the chain.
import type { Intent } from '@openvenue/store/intents'
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Owner } from '../account/owner.ts'
import type { FieldError, Refusal } from '../http/refusals.ts'
import type { Clock } from '../model/clock.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { IntentBook } from './intent-book.ts'
import type { ParsedOrder } from './order-body.ts'
import { checkOrder, isHeldBack } from './order-checks.ts'
import type { Admit } from './order-parts.ts'
import { orderRefusal, problem } from './order-problem.ts'
import type { SimulateOrders } from './order-simulation.ts'
import type { DomainSettings } from './signed-order.ts'
import { checkSigner, type Signers } from './signers.ts'

export type AdmitDeps = Readonly<{
  model: VenueModel
  owned: OwnedReads
  intentBook: IntentBook
  signers: Signers
  simulate: SimulateOrders
  settings: DomainSettings
  clock: Clock
}>

const MS_PER_SECOND = 1000

export function createAdmit(deps: AdmitDeps): Admit {
  return async (owner, orders) => {
    const found = await Promise.all(orders.map((order) => signerProblems(deps, owner, order)))
    const known = await deps.owned.look(owner, () =>
      orders.map((order, index) => [...(found[index] ?? []), ...problemsOf(deps, owner, order)]),
    )
    const asked = orders.filter((order, at) => known[at]?.length === 0 && !isHeldBack(order))
    const said = asked.length === 0 ? [] : await deps.simulate(asked)
    const byOrder = new Map(asked.map((order, index) => [order, said[index]]))
    return orders.map((order, index) => {
      const verdict = byOrder.get(order)
      const problems = known[index] ?? []
      return refusalOf(deps, owner, order, verdict === undefined ? problems : [verdict])
    })
  }
}

function signerProblems(
  { signers, settings, model, clock }: AdmitDeps,
  { account }: Owner,
  order: ParsedOrder,
): Promise<readonly FieldError[]> {
  const nowSeconds = Math.max(Math.floor(clock.nowMs() / MS_PER_SECOND), model.head?.seconds ?? 0)
  const facts = { signers, settings, account, nowSeconds }
  return checkSigner(facts, order).then(({ problems }) => problems)
}

function problemsOf(
  { model, clock, intentBook }: AdmitDeps,
  { account }: Owner,
  order: ParsedOrder,
): readonly FieldError[] {
  const nowSeconds = Math.floor(clock.nowMs() / MS_PER_SECOND)
  const problems = checkOrder({ model, account, nowSeconds }, order)
  const spender = account === undefined ? undefined : spenderOf(intentBook, account, order)
  return spender === undefined ? problems : [...problems, saltSpent(spender)]
}

/** Returns the order on its way, or resting, that has the salt. Held ones may share theirs. */
function spenderOf(intentBook: IntentBook, account: number, parsed: ParsedOrder) {
  if (isHeldBack(parsed)) return undefined
  const salt = parsed.order.salt.toString()
  for (const intent of intentBook.of(account).values())
    if (intent.state !== 'received' && hasSalt(intent, salt)) return intent.id
  return undefined
}

const hasSalt = ({ payload }: Intent, salt: string) =>
  payload.kind === 'order' && payload.order.salt === salt

const saltSpent = (order_id: string): FieldError =>
  problem('ORDER_INVALID_SALT', ['salt', 'salt is that of no other order'], { facts: { order_id } })

/** Names the order that spent a salt, where the chain alone has said that it is spent. */
function refusalOf(
  { intentBook }: AdmitDeps,
  { account = 0 }: Owner,
  { order }: ParsedOrder,
  problems: readonly FieldError[],
): Refusal | undefined {
  if (problems.length === 0) return undefined
  const [first] = problems
  if (first?.code !== 'ORDER_INVALID_SALT' || first.facts?.order_id !== undefined)
    return orderRefusal(problems)
  const spender = intentBook.endedWith(account, (intent) => hasSalt(intent, order.salt.toString()))
  return orderRefusal(spender === undefined ? problems : [saltSpent(spender.id)])
}
