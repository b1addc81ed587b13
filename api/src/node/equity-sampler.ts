// Writes down what accounts are worth, now and then, and clears away what is too old; also what is
// to be done as often for notifications and for keys. Interface 4.4 and 8.

import { parseDecimal } from '@openvenue/core/units'
import type { Equity } from '@openvenue/store/equity'
import type { Identity } from '@openvenue/store/identity'
import type { Notifications } from '@openvenue/store/notifications'
import type { Overviews } from '../account/overview.ts'
import type { AccountDeps } from './account-deps.ts'

/** Accounts whose equity is read at the same time. */
const READS_MAX = 8
const EQUITY_DECIMALS = 18

export type EquitySamplerDeps = Readonly<{
  equity: Equity
  notifications: Pick<Notifications, 'addExpiring' | 'prune'>
  identity: Pick<Identity, 'sweep'>
  /** Returns the equity of a wallet as decimal text, or null when it cannot be read. */
  readEquity: (wallet: string) => Promise<string | null>
  /** Wallets with an open private socket on this node. */
  openAccounts: () => Iterable<string>
  nowMs: () => number
  /** Seconds from one snapshot to the next; they stand at its multiples. */
  intervalSeconds: number
}>

/** One per node. Nodes share the work: each account of a slot is read by one of them. */
export class EquitySampler {
  readonly #deps: EquitySamplerDeps
  /** Where the last sweep of old notifications ended. */
  #prunedTo = ''

  constructor(deps: EquitySamplerDeps) {
    this.#deps = deps
  }

  /** Returns how long it is until the next slot begins. */
  untilNextMs(): number {
    const intervalMs = this.#deps.intervalSeconds * 1000
    return intervalMs - (this.#deps.nowMs() % intervalMs)
  }

  /**
   * Takes the snapshots of the slot that is now: of every account with a live key, and with an open
   * private socket here. An account whose equity cannot be read has none in this slot.
   */
  async sample(): Promise<void> {
    const { equity, openAccounts, nowMs, intervalSeconds } = this.#deps
    const now = nowMs()
    const slot = Math.floor(now / (intervalSeconds * 1000)) * intervalSeconds
    const wallets = new Set([...(await equity.liveAccounts(now)), ...openAccounts()])
    const waiting = [...(await equity.claim([...wallets], slot))]
    const read = async () => {
      for (let wallet = waiting.pop(); wallet !== undefined; wallet = waiting.pop())
        await this.#add(wallet, slot)
    }
    await Promise.all(Array.from({ length: READS_MAX }, read))
  }

  /** Clears away what is too old, a part of it, and warns of keys that end soon. */
  async tidy(): Promise<void> {
    const { equity, notifications, identity, nowMs } = this.#deps
    const now = nowMs()
    const nowSeconds = Math.floor(now / 1000)
    await notifications.addExpiring(now)
    await identity.sweep(now)
    await equity.thin(nowSeconds)
    this.#prunedTo = await notifications.prune(nowSeconds, this.#prunedTo)
  }

  async #add(wallet: string, seconds: number): Promise<void> {
    // Interface 2.8: what cannot be read is null; here it is no point.
    const text = await this.#deps.readEquity(wallet).catch(() => null)
    const equity = text === null ? undefined : parseDecimal(text, EQUITY_DECIMALS)
    if (equity !== undefined) await this.#deps.equity.add([{ wallet, seconds, equity }])
  }
}

export type SamplingDeps = Readonly<{
  sampler: EquitySampler
  /** Waits, or less when aborted. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
  log: Readonly<{ warn: (facts: object, text: string) => void }>
}>

/** Samples slot by slot until aborted. What fails is tried again with the next slot. */
export async function sampleEquity(
  { sampler, delay, log }: SamplingDeps,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    await delay(sampler.untilNextMs(), signal)
    if (signal.aborted) return
    for (const work of [() => sampler.sample(), () => sampler.tidy()])
      await work().catch((error: unknown) =>
        log.warn({ err: error }, 'equity was not sampled, trying again'),
      )
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    sampler: EquitySampler
  }
}

/** Returns the sampler of a node. */
export const createSampler = (
  { equity, notifications, identity, settings }: AccountDeps,
  node: Readonly<{
    overviews: Pick<Overviews, 'readEquity'>
    sockets: Readonly<{ openPrivateAccounts: () => Iterable<string> }>
    nowMs: () => number
  }>,
): EquitySampler =>
  new EquitySampler({
    equity,
    notifications,
    identity,
    readEquity: (wallet) => node.overviews.readEquity(wallet),
    openAccounts: () => node.sockets.openPrivateAccounts(),
    nowMs: node.nowMs,
    intervalSeconds: settings.snapshotIntervalSeconds,
  })
