// Checks a venue's promises against the chain, with public data.
import { readChain } from './chain.ts'
import { type Breach, cancelName, gatherHistories, type History } from './histories.ts'
import { checkLanes, findDropped } from './lanes.ts'
import { proveLedger } from './ledger-proof.ts'
import { checkPromises } from './promises.ts'
import type { Rpc } from './rpc.ts'
import { checkHead, checkReceipts, type Get, readVenue, type VenueRead } from './venue.ts'

/** Number of receipts to request, spread over the ledger. */
const RECEIPTS_SAMPLED = 20
/** Blocks within which orders may be included whose promises are pruned. */
const PRUNED_BLOCKS = 64

type Report = Readonly<{
  broken: readonly Breach[]
  /** Numbers of checked items by name. */
  counts: Readonly<Record<string, number>>
}>

/** Returns the checked items and the broken promises. */
export async function checkRelay(get: Get, rpc: Rpc): Promise<Report> {
  const venue = await readVenue(get)
  const { entries, fromSeq, head } = venue.ledger
  const histories = gatherHistories(entries)
  const wallets = new Set(venue.relay.lanes.map(({ address }) => address))
  const covered = coveredBlocks(venue)
  const chain = await readChain(rpc, {
    engines: enginesOf(venue),
    fromBlock: Math.max(0, firstBlock(venue) - PRUNED_BLOCKS),
    timesOf: histories.flatMap(({ promise }) => promise?.include_by_block ?? []),
    domain: venue.relay.typed_data.Receipt.domain,
    ...askedOfCancels(histories),
  })
  const untilNs = BigInt(entries.find(({ seq }) => seq === head?.seq)?.at_ns ?? 0)
  const broken = [
    ...proveLedger(venue.ledger),
    ...(await checkHead(venue)),
    ...(await checkReceipts(get, venue, sample(histories))),
    ...checkPromises(histories, chain, { wallets, untilNs }),
    ...checkLanes(histories, chain, wallets),
    ...findDropped(histories, chain, { ...covered, wallets }),
  ]
  const states = Object.entries(Object.groupBy(histories, ({ last }) => last.state))
  return {
    broken,
    counts: {
      'entries of the ledger': entries.length,
      'first entry': fromSeq,
      'orders and cancels': histories.length,
      ...Object.fromEntries(states.map(([state, own]) => [state, own?.length ?? 0])),
      lanes: wallets.size,
      'transactions on the chain': chain.txs.size,
      'receipts verified': Math.min(RECEIPTS_SAMPLED, histories.length),
    },
  }
}

/** Returns the chain data to read about cancels. */
function askedOfCancels(histories: readonly History[]) {
  const cancels = histories.filter(({ kind }) => kind !== 'order')
  const refused = cancels.filter(({ last }) => last.state === 'refused')
  return {
    cancelTxs: cancels.flatMap(({ entries }) => entries.flatMap(({ tx_hash }) => tx_hash ?? [])),
    gone: refused.map(({ orderId }) => cancelName(orderId)),
  }
}

const enginesOf = ({ info }: VenueRead): readonly string[] =>
  [info.contracts.spot, info.contracts.perps].flatMap((engine) => engine?.address ?? [])

/** The first block that may contain anything of the ledger. */
const firstBlock = ({ ledger, relay }: VenueRead): number =>
  ledger.entries.find(({ include_by_block }) => include_by_block > 0)?.include_by_block ??
  relay.status?.block ??
  0

/** Blocks of which the ledger must be complete: from its first complete one to the last. */
function coveredBlocks(venue: VenueRead) {
  const { entries, fromSeq } = venue.ledger
  const fromBlock = fromSeq === 1 ? 0 : firstBlock(venue) + PRUNED_BLOCKS
  const blocks = entries.map(({ block_number }) => block_number ?? 0)
  return { fromBlock, toBlock: blocks.reduce((most, block) => Math.max(most, block), 0) }
}

function sample(histories: readonly History[]): readonly History[] {
  const step = Math.max(1, Math.floor(histories.length / RECEIPTS_SAMPLED))
  return histories.filter((_, at) => at % step === 0).slice(0, RECEIPTS_SAMPLED)
}
