// Compares promises with the chain: in by the block that was promised, or truly refused, expired or
// withdrawn by then.
import type { LedgerItem } from '@openvenue/wire/relay'
import {
  type Breach,
  type Chain,
  type ChainLog,
  carriersOf,
  chainName,
  type History,
  logsOf,
} from './histories.ts'

/** Clocks of the venue and of the chain differ by as much. */
const CLOCK_SECONDS = 2
const NS_PER_S = 1_000_000_000n
/** The relayer's word for a cancel whose order rests no more. */
const ORDER_GONE = 'ORDER_DOES_NOT_EXIST'

type LaneFacts = Readonly<{
  /** Wallets of the lanes, lower case. */
  wallets: ReadonlySet<string>
  /** When the newest entry of the ledger was written. */
  untilNs: bigint
}>

/** Returns the promises among `histories` that do not hold, and the claims that are not true. */
export const checkPromises = (
  histories: readonly History[],
  chain: Chain,
  venue: LaneFacts,
): readonly Breach[] =>
  histories.flatMap((history) => {
    const reason = judge(history, chain, venue)
    const { orderId, promise, last } = history
    return reason === undefined ? [] : [{ orderId, seq: (promise ?? last).seq, reason }]
  })

/** Returns why a promise does not hold; undefined: it does, or there is none. */
function judge(history: History, chain: Chain, venue: LaneFacts): string | undefined {
  const { last, kind } = history
  if (last.state === 'received') return undefined
  if (kind !== 'order') return judgeCancel(history, chain, venue)
  switch (last.state) {
    case 'included':
      return judgeIncluded(history, chain)
    case 'refused':
      return placedByVenue(history, chain, venue) ?? judgeRefused(history, chain)
    case 'expired':
      return placedByVenue(history, chain, venue) ?? judgeExpired(history, chain)
    case 'withdrawn':
      return placedByVenue(history, chain, venue) ?? lateByClock(history, chain, last)
    default:
      return judgeOpen(history, chain, venue)
  }
}

const findLog = (chain: Chain, { orderId }: History, kind: ChainLog['kind']) =>
  logsOf(chain, orderId).find((log) => log.kind === kind)

function judgeIncluded(history: History, chain: Chain): string | undefined {
  const placed = findLog(chain, history, 'placed')
  if (placed === undefined) return 'reported as included, but the chain has no such order'
  const { block_number: reported } = history.last
  if (reported !== placed.block)
    return `reported as included in block ${reported}, but is in block ${placed.block}`
  return lateBlock(history, placed.block, 'included')
}

function judgeRefused(history: History, chain: Chain): string | undefined {
  const { reason } = history.last
  const refusals = logsOf(chain, history.orderId).filter(({ kind }) => kind === 'rejected')
  const [first] = refusals
  if (first === undefined) return 'reported as refused, but the chain never refused it'
  if (!refusals.some((log) => log.reason === reason))
    return `reported as refused for ${reason}, but the chain refused it for ${first.reason}`
  return lateBlock(history, first.block, 'refused')
}

/** It may expire when its time passed before the promised block, or it was refused by then. */
function judgeExpired(history: History, chain: Chain): string | undefined {
  const { promise, last } = history
  const deadline = last.deadline ?? 0
  if (BigInt(last.at_ns) / NS_PER_S + BigInt(CLOCK_SECONDS) < BigInt(deadline))
    return `reported as expired, but may be sent until ${deadline}`
  if (promise === undefined) return undefined
  const seconds = chain.seconds.get(promise.include_by_block)
  if (seconds === undefined || seconds > deadline) return undefined
  const inTime = logsOf(chain, history.orderId).some(
    ({ block }) => block <= promise.include_by_block,
  )
  return inTime ? undefined : 'reported as expired, but was not sent by the promised block'
}

function judgeOpen(history: History, chain: Chain, venue: LaneFacts): string | undefined {
  const { promise } = history
  if (promise === undefined) return undefined
  const by = promise.include_by_block
  const seconds = chain.seconds.get(by)
  if (seconds === undefined || BigInt(seconds + CLOCK_SECONDS) * NS_PER_S > venue.untilNs)
    return undefined
  const isThere = logsOf(chain, history.orderId).some(({ block }) => block <= by)
  return isThere ? undefined : `neither included nor refused by block ${by}, as promised`
}

function judgeCancel(history: History, chain: Chain, venue: LaneFacts): string | undefined {
  const { last } = history
  if (last.state === 'queued' || last.state === 'sent') return judgeOpen(history, chain, venue)
  if (last.state === 'included') return judgeDone(history, chain, venue)
  if (last.state === 'refused') return judgeGivenUp(history, chain, venue)
  return lateByClock(history, chain, last)
}

/** A transaction of the venue carried it, or the order was cancelled otherwise. */
function judgeDone(history: History, chain: Chain, { wallets }: LaneFacts): string | undefined {
  const carried = carriersOf(chain, history, wallets).filter(({ hash }) => chain.done.has(hash))
  const cancelled = chain.cancelled.get(chainName(chain, history.orderId))
  const blocks = [...carried.map(({ block }) => block), cancelled].filter((at) => at !== undefined)
  if (blocks.length === 0) return 'reported as included, but the chain has no such cancel'
  return lateBlock(history, Math.min(...blocks), 'included')
}

/** Its order is gone, or a transaction of it was refused. */
function judgeGivenUp(history: History, chain: Chain, { wallets }: LaneFacts): string | undefined {
  const { promise, last, orderId } = history
  if (last.reason !== ORDER_GONE) {
    const isSent = carriersOf(chain, history, wallets).length > 0
    return isSent ? lateByClock(history, chain, last) : 'reported as refused, but was never sent'
  }
  const name = chainName(chain, orderId)
  if (chain.resting.has(name)) return 'reported as of an ended order, but the order rests'
  const gone = chain.cancelled.get(name) ?? 0
  const isLate = promise !== undefined && gone > promise.include_by_block
  return isLate ? `reported as of an ended order, but it rested until ${gone}` : undefined
}

/** The venue promises not to send an order that it reports as ended. */
function placedByVenue(history: History, chain: Chain, { wallets }: LaneFacts): string | undefined {
  const placed = findLog(chain, history, 'placed')
  const from = placed && chain.txs.get(placed.txHash)?.from
  if (placed === undefined || from === undefined || !wallets.has(from)) return undefined
  return `reported as ${history.last.state}, but the venue placed it in block ${placed.block}`
}

function lateBlock({ promise }: History, block: number, state: string): string | undefined {
  const by = promise?.include_by_block
  if (by === undefined || block <= by) return undefined
  return `${state} in block ${block}, ${block - by} after the promised block ${by}`
}

function lateByClock({ promise }: History, chain: Chain, last: LedgerItem): string | undefined {
  const by = promise?.include_by_block ?? 0
  const seconds = chain.seconds.get(by)
  if (seconds === undefined) return undefined
  const isLate = BigInt(last.at_ns) > BigInt(seconds + 2 * CLOCK_SECONDS) * NS_PER_S
  return isLate ? `${last.state} after the promised block ${by}` : undefined
}
