// Records the equity of accounts at intervals and deletes old snapshots; also runs the periodic
// tasks of notifications and keys. Interface 4.4 and 8.

import { parseDecimal } from '@openvenue/core/units'
import type { Equity } from '@openvenue/store/history/equity'
import type { Notifications } from '@openvenue/store/history/notifications'
import type { Identity } from '@openvenue/store/identity/identity'
import type { Overviews } from '../account/overview.ts'
import type { AccountDeps } from './account-deps.ts'

/** Concurrent reads of equity. */
const READS_MAX = 8
const EQUITY_DECIMALS = 18

type EquitySamplerDeps = Readonly<{
  equity: Equity
  notifications: Pick<Notifications, 'addExpiring' | 'prune'>
  identity: Pick<Identity, 'sweep'>
  /** Returns the equity of a wallet as decimal text, or null when it cannot be read. */
  readEquity: (wallet: string) => Promise<string | null>
  /** Wallets with an open private socket on this node. */
  openAccounts: () => Iterable<string>
  nowMs: () => number
  /** Seconds between snapshots, which are taken at multiples of it. */
  intervalSeconds: number
}>

/** One per node. Nodes share the work: each account of a slot is read by one of them. */
export class EquitySampler {
  readonly #deps: EquitySamplerDeps
  /** Position of the last sweep of old notifications. */
  #prunedTo = ''

  constructor(deps: EquitySamplerDeps) {
    this.#deps = deps
  }

  /** Returns the time until the next slot begins, ms. */
  untilNextMs(): number {
    const intervalMs = this.#deps.intervalSeconds * 1000
    return intervalMs - (this.#deps.nowMs() % intervalMs)
  }

  /**
   * Takes the snapshots of the current slot: of every account with a live key, and with an open
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

  /** Deletes a part of the old data, and warns of keys that end soon. */
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
    // Unreadable equity is null in the interface (2.8); here it is skipped.
    const text = await this.#deps.readEquity(wallet).catch(() => null)
    const equity = text === null ? undefined : parseDecimal(text, EQUITY_DECIMALS)
    if (equity !== undefined) await this.#deps.equity.add([{ wallet, seconds, equity }])
  }
}

type SamplingDeps = Readonly<{
  sampler: EquitySampler
  /** Waits `ms`, or less when aborted. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>
  log: Readonly<{ warn: (facts: object, text: string) => void }>
}>

/** Samples slot by slot until aborted. A failed slot is followed by the next one. */
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
