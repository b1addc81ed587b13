// Protects market makers whose fills exceed their rule's limit: freezes the rule and cancels the
// remaining protected orders.
import type { Order } from '@openvenue/core/records'
import { LISTEN_FALLBACK_MS } from '@openvenue/store/db/db'
import type { Intent } from '@openvenue/store/intents/intents'
import {
  isFrozen,
  type MmpFill,
  type MmpRule,
  type MmpScan,
} from '@openvenue/store/intents/safeguards'
import { type CountedFill, MmpCounter, millionths } from './mmp-counter.ts'
import { isLive } from './watched-intents.ts'
import type { WatcherContext } from './watcher-parts.ts'

const MS_PER_S = 1_000
/** Maximum number of buckets of an interval, each dated as its newest fill. */
const BUCKETS_MAX = 500

export class Protection {
  readonly #parts: WatcherContext
  readonly #counter = new MmpCounter()
  /** Rules to freeze. */
  readonly #stopping = new Map<string, MmpRule>()
  #changed = -1
  /** Offset of the database's clock from our monotonic clock, milliseconds. */
  #aheadMs = 0
  #lookedMs = Number.NEGATIVE_INFINITY
  #isNews = true
  /** Fills of blocks after the initial read of fills, until it completes; then undefined. */
  #early: CountedFill[] | undefined = []

  constructor(parts: WatcherContext) {
    this.#parts = parts
  }

  /** Has the next round re-read the rules. */
  news(): void {
    this.#isNews = true
  }

  /** Cancels an order accepted by a node that did not know yet that its rule is frozen. */
  step(intent: Intent): void {
    if (!isMmp(intent) || !isLive(intent)) return
    const rule = this.#ruleOf(intent)
    if (rule !== undefined && isFrozen(rule, this.#nowMs()))
      this.#parts.retractions.take(intent.id, 'MMP')
  }

  /** Counts the change of an order in a block. */
  see(ref: string, before: Order | undefined, after: Order | undefined): void {
    const intent = this.#parts.watched.get(ref)
    if (after === undefined || intent === undefined || !isMmp(intent)) return
    const lots = after.filledLots - (before?.filledLots ?? 0n)
    const fill = this.#count({ ...after, lots, seconds: this.#parts.seconds() })
    if (fill === undefined) return
    if (this.#early === undefined) this.#counter.add(fill)
    else this.#early.push(fill)
  }

  /** Returns a fill in counted units; undefined when it has none. */
  #count({ account, market: id, isBuy, lots, seconds }: MmpFill): CountedFill | undefined {
    const market = this.#parts.view.state.records.market.get(id)
    if (lots <= 0n || market === undefined) return undefined
    const amount = millionths(lots, market) * (isBuy ? 1n : -1n)
    return { account, asset: market.asset, amount, seconds }
  }

  async round(): Promise<void> {
    const { seconds, safeguards, mayAct, log } = this.#parts
    await this.#readRules()
    for (const rule of this.#counter.passed(seconds())) this.#stopping.set(keyOf(rule), rule)
    for (const [key, rule] of this.#stopping) {
      if (!mayAct()) return
      // A rule that was reset meanwhile must stay active.
      if (await safeguards.freezeMmp(rule))
        log.info({ account: rule.account, asset: rule.asset }, 'a market maker is protected')
      this.#stopping.delete(key)
      this.#isNews = true
    }
    if (this.#isNews) await this.#readRules()
  }

  async #readRules(): Promise<void> {
    const { safeguards, monotonicMs } = this.#parts
    if (!this.#isNews && monotonicMs() - this.#lookedMs < LISTEN_FALLBACK_MS) return
    this.#isNews = false
    try {
      const early = this.#early === undefined ? undefined : this.#readKnown()
      const { changed, mmp, nowMs } = await safeguards.changesAfter(this.#changed)
      const before = await early?.(mmp)
      for (const rule of mmp) {
        this.#counter.setRule(rule)
        // Also covers a watcher that died after the freeze and before the cancels.
        if (isFrozen(rule, nowMs)) this.#cancelAll(rule)
      }
      if (before !== undefined) this.#begin(before)
      this.#changed = changed
      this.#aheadMs = nowMs - monotonicMs()
      this.#lookedMs = monotonicMs()
    } catch (error) {
      this.#isNews = true
      throw error
    }
  }

  /**
   * Returns a function that reads the fills within the interval of each rule, since the counts of
   * the previous watcher are lost. Fills from the feed wait until it completes.
   */
  #readKnown(): (rules: readonly MmpRule[]) => Promise<readonly MmpFill[]> {
    const { safeguards, view, seconds } = this.#parts
    const headSeconds = seconds()
    const blockNumber = view.state.head?.number ?? 0
    this.#early = []
    return (rules) => {
      const markets = [...view.state.records.market.values()]
      const scans = rules.flatMap((rule) =>
        markets
          .filter(({ asset }) => asset === rule.asset && rule.intervalSeconds > 0)
          .map(({ id }) => scanOf(rule, id, headSeconds)),
      )
      return safeguards.mmpFills(scans, blockNumber)
    }
  }

  #begin(before: readonly MmpFill[]): void {
    const fills = before.flatMap((fill) => this.#count(fill) ?? [])
    for (const fill of [...fills, ...(this.#early ?? [])]) this.#counter.add(fill)
    this.#early = undefined
  }

  #cancelAll(rule: MmpRule): void {
    const { watched, retractions } = this.#parts
    for (const intent of watched.all())
      if (isMmp(intent) && this.#ruleOf(intent)?.asset === rule.asset)
        if (intent.account === rule.account) retractions.take(intent.id, 'MMP')
  }

  #ruleOf({ account, market }: Intent): MmpRule | undefined {
    const asset = this.#parts.view.state.records.market.get(market)?.asset
    return asset === undefined ? undefined : this.#counter.rule(account, asset)
  }

  #nowMs(): number {
    return this.#parts.monotonicMs() + this.#aheadMs
  }
}

/** Fills in the second of a rule's reset all count: it stops sooner, not later. */
function scanOf(rule: MmpRule, market: string, headSeconds: number): MmpScan {
  const { account, resetMs, frozenMs = 0, intervalSeconds } = rule
  const sinceSeconds = Math.floor(Math.max(resetMs, frozenMs) / MS_PER_S) - 1
  const afterSeconds = Math.max(headSeconds - intervalSeconds, sinceSeconds)
  const bucketSeconds = Math.ceil(intervalSeconds / BUCKETS_MAX)
  return { account, market, afterSeconds, bucketSeconds }
}

const keyOf = ({ account, asset }: MmpRule) => `${account} ${asset}`
const isMmp = ({ payload }: Intent) => payload.kind === 'order' && payload.isMmp === true
