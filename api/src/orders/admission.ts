// Decides whether orders may be promised: signer, rules in memory, then one question to the chain
// about all that are left.
import type { OwnedReads } from '../account/owned-reads.ts'
import type { Owner } from '../account/owner.ts'
import type { FieldError, Refusal } from '../http/refusals.ts'
import type { VenueModel } from '../model/venue-model.ts'
import type { IntentBook } from './intent-book.ts'
import type { ParsedOrder } from './order-body.ts'
import { checkOrder, isHeldBack } from './order-checks.ts'
import { orderRefusal } from './order-problem.ts'
import type { SimulateOrders } from './order-simulation.ts'
import type { DomainSettings } from './signed-order.ts'
import { checkSigner, type Signers } from './signers.ts'
import { nameSpender, saltProblems } from './spent-salts.ts'

export type AdmissionParts = Readonly<{
  model: VenueModel
  clock: Readonly<{ nowMs: () => number }>
  settings: DomainSettings
  owned: Pick<OwnedReads, 'look'>
  signers: Signers
  simulate: SimulateOrders
  /** Absent: nothing is known of orders on their way. */
  intentBook?: IntentBook
}>

/** Returns why each order is refused, in their order; undefined: it is not. */
export type AdmitOrders = (
  owner: Owner,
  orders: readonly ParsedOrder[],
) => Promise<readonly (Refusal | undefined)[]>

/**
 * Returns what admits signed orders of one maker. Throws where nothing can be said of any of them:
 * the database is away (HISTORY_UNAVAILABLE), or the nodes are (CHAIN_UNAVAILABLE).
 */
export function createAdmission(parts: AdmissionParts): AdmitOrders {
  return async (owner, orders) => {
    const found = await problemsInMemory(parts, owner, orders)
    const left = orders.filter((order, index) => found[index]?.length === 0 && !isHeldBack(order))
    const verdicts = await parts.simulate(left)
    return orders.map((order, index) => {
      const verdict = verdicts[left.indexOf(order)]
      const problems = found[index] ?? []
      const named = verdict && withSpender(parts, owner, order, verdict)
      const all = named === undefined ? problems : [...problems, named]
      return all.length === 0 ? undefined : orderRefusal(all)
    })
  }
}

const withSpender = (
  { intentBook }: AdmissionParts,
  { account }: Owner,
  order: ParsedOrder,
  verdict: FieldError,
) => (intentBook === undefined ? verdict : nameSpender(intentBook, account, order, verdict))

/** Returns what this node knows against each order: of its signer, then of its rules. */
export async function problemsInMemory(
  { model, clock, settings, owned, signers, intentBook }: Omit<AdmissionParts, 'simulate'>,
  owner: Owner,
  orders: readonly ParsedOrder[],
): Promise<readonly (readonly FieldError[])[]> {
  const { account } = owner
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const facts = { signers, settings, account, nowSeconds }
  const signed = await Promise.all(orders.map((order) => checkSigner(facts, order)))
  return owned.look(owner, () =>
    orders.map((order, index) => [
      ...(signed[index]?.problems ?? []),
      ...checkOrder({ model, account, nowSeconds }, order),
      ...(intentBook === undefined ? [] : saltProblems(intentBook, account, order)),
    ]),
  )
}
