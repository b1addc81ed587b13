// Stops market makers whose orders are filled faster than they said: freezes the rule and cancels
// the rest of what it protects.
import type { Order } from '@openvenue/core/records'
import type { Intent } from '@openvenue/store/intents'
import { isFrozen, type MmpRule } from '@openvenue/store/safeguards'
import { MmpCounter, millionths } from './mmp-counter.ts'
import { isLive } from './watched-intents.ts'
import type { WatcherParts } from './watcher-parts.ts'

/** Rules are read anew so often though no signal came. */
const LOOK_MS = 1_000

export class Protection {
  readonly #parts: WatcherParts
  readonly #counter = new MmpCounter()
  /** Rules that are to be frozen. */
  readonly #stopping = new Map<string, MmpRule>()
  #changed = -1
  /** The database's clock less ours that nobody sets. */
  #aheadMs = 0
  #lookedMs = Number.NEGATIVE_INFINITY
  #isNews = true

  constructor(parts: WatcherParts) {
    this.#parts = parts
  }

  /** Rules may have changed. */
  news(): void {
    this.#isNews = true
  }

  /** An order was accepted by a node that did not know yet that its rule is frozen. */
  step(intent: Intent): void {
    if (!isMmp(intent) || !isLive(intent)) return
    const rule = this.#ruleOf(intent)
    if (rule !== undefined && isFrozen(rule, this.#nowMs()))
      this.#parts.retractions.take(intent.id, 'MMP')
  }

  /** Takes what a block did to an order. */
  see(ref: string, before: Order | undefined, after: Order | undefined): void {
    const intent = this.#parts.watched.get(ref)
    if (after === undefined || intent === undefined || !isMmp(intent)) return
    const lots = after.filledLots - (before?.filledLots ?? 0n)
    const market = this.#parts.view.state.records.market.get(after.market)
    if (lots <= 0n || market === undefined) return
    const amount = millionths(lots, market) * (after.isBuy ? 1n : -1n)
    const { account } = after
    this.#counter.add({ account, asset: market.asset, amount, seconds: this.#parts.seconds() })
  }

  async round(): Promise<void> {
    const { seconds, safeguards, mayAct, log } = this.#parts
    await this.#readRules()
    for (const rule of this.#counter.passed(seconds())) this.#stopping.set(keyOf(rule), rule)
    for (const [key, rule] of this.#stopping) {
      if (!mayAct()) return
      // Who has been reset meanwhile wants to go on.
      if (await safeguards.freezeMmp(rule))
        log.info({ account: rule.account, asset: rule.asset }, 'a market maker is protected')
      this.#stopping.delete(key)
      this.#isNews = true
    }
    if (this.#isNews) await this.#readRules()
  }

  async #readRules(): Promise<void> {
    const { safeguards, monotonicMs } = this.#parts
    if (!this.#isNews && monotonicMs() - this.#lookedMs < LOOK_MS) return
    this.#isNews = false
    try {
      const { changed, mmp, nowMs } = await safeguards.changesAfter(this.#changed)
      for (const rule of mmp) {
        this.#counter.setRule(rule)
        // Also what somebody froze who died before the rest was cancelled.
        if (isFrozen(rule, nowMs)) this.#cancelAll(rule)
      }
      this.#changed = changed
      this.#aheadMs = nowMs - monotonicMs()
      this.#lookedMs = monotonicMs()
    } catch (error) {
      this.#isNews = true
      throw error
    }
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

const keyOf = ({ account, asset }: MmpRule) => `${account} ${asset}`
const isMmp = ({ payload }: Intent) => payload.kind === 'order' && payload.isMmp === true
