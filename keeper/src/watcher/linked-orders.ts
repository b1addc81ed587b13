// Decides about child orders, which wait for their parent's first fill and end with it.
import type { ParentFate } from '@openvenue/store/intents/safeguards'

/** Verdict on children: wait, be watched for their trigger, or end. */
type FamilyVerdict = 'wait' | 'release' | 'end'

/**
 * Returns the verdict on the children of an order. An owner's cancel of the parent ends them; a
 * parent that ends otherwise leaves them to protect its fills.
 */
export function judgeFamily({ state, order }: ParentFate): FamilyVerdict {
  if (order === undefined) {
    const hasEnded = state === 'refused' || state === 'expired' || state === 'withdrawn'
    return hasEnded ? 'end' : 'wait'
  }
  const hasEnded = order.restingLots === 0n
  if (hasEnded && order.status === 'cancelled' && order.reason === 'USER') return 'end'
  if (order.filledLots > 0n) return 'release'
  return hasEnded ? 'end' : 'wait'
}

/** Tracks live children by parent, and the parents to check. */
export class Families {
  readonly #children = new Map<string, Set<string>>()
  readonly #parentOf = new Map<string, string>()
  readonly #news = new Set<string>()

  add(child: string, parent: string): void {
    if (this.#parentOf.has(child)) return
    this.#parentOf.set(child, parent)
    const children = this.#children.get(parent) ?? new Set()
    this.#children.set(parent, children)
    children.add(child)
    this.#news.add(parent)
  }

  drop(child: string): void {
    const parent = this.#parentOf.get(child)
    if (parent === undefined) return
    this.#parentOf.delete(child)
    const children = this.#children.get(parent)
    children?.delete(child)
    if (children?.size !== 0) return
    this.#children.delete(parent)
    this.#news.delete(parent)
  }

  clear(): void {
    for (const collection of [this.#children, this.#parentOf, this.#news]) collection.clear()
  }

  /** Marks an order as changed, to be checked if it has children. */
  changed(id: string): void {
    if (this.#children.has(id)) this.#news.add(id)
  }

  /** Returns the parents to check, each repeatedly until `seen` is called. */
  news(): readonly string[] {
    return [...this.#news]
  }

  seen(parents: readonly string[]): void {
    for (const parent of parents) this.#news.delete(parent)
  }

  children(parent: string): readonly string[] {
    return [...(this.#children.get(parent) ?? [])]
  }
}
