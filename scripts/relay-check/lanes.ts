// Checks that the lanes keep their order, and that the ledger has all that their wallets sent.
import {
  type Breach,
  type Chain,
  type ChainLog,
  type ChainTx,
  cancelName,
  carriersOf,
  chainName,
  type History,
  logsOf,
} from './histories.ts'

/** Blocks until the relayer knows of an order that a block has. */
const SEEN_BLOCKS = 2

/** An order, or a cancel, in the transaction that decided it. */
type DecidedOrder = Readonly<{ history: History; log: ChainLog | undefined; tx: ChainTx }>

/** Returns the orders that later ones of their lane overtook. */
export function checkLanes(
  histories: readonly History[],
  chain: Chain,
  wallets: ReadonlySet<string>,
): readonly Breach[] {
  const sent = histories.flatMap((history) => findSent(history, chain, wallets))
  const queues = Map.groupBy(sent, ({ tx }) => `${tx.from} ${tx.to}`)
  return [...queues.values()].flatMap((queue) => [
    ...findOvertaken(queue, chain),
    ...[...Map.groupBy(queue, ({ tx }) => tx.hash).values()].flatMap(findMisplaced),
  ])
}

/** An intent that is resent after a transaction without effect loses its place. */
function findSent(
  history: History,
  chain: Chain,
  wallets: ReadonlySet<string>,
): readonly DecidedOrder[] {
  const { entries, kind, promise, orderId } = history
  const times = (state: string) => entries.filter((entry) => entry.state === state).length
  if (promise === undefined || times('sent') > 1 || times('queued') > 1) return []
  if (kind !== 'order')
    return carriersOf(chain, history, wallets).map((tx) => ({ history, log: undefined, tx }))
  const [log] = logsOf(chain, orderId)
  const tx = log && chain.txs.get(log.txHash)
  return log === undefined || tx === undefined || !wallets.has(tx.from)
    ? []
    : [{ history, log, tx }]
}

type ArrivedOrder = Pick<DecidedOrder, 'history'>
const arrival = ({ history }: ArrivedOrder) => history.promise?.seq ?? 0
const byArrival = (a: ArrivedOrder, b: ArrivedOrder) => arrival(a) - arrival(b)

/** Nonces must not decrease in order of arrival: otherwise an earlier one was overtaken. */
function findOvertaken(sent: readonly DecidedOrder[], chain: Chain): readonly Breach[] {
  const broken: Breach[] = []
  // From the last arrival back: the least nonce of all that came later.
  let later: DecidedOrder | undefined
  for (const order of [...sent].sort(byArrival).reverse()) {
    if (later === undefined || later.tx.nonce >= order.tx.nonce) later = order
    else if (!waitsForOrder(order, later, chain)) broken.push(overtaken(order, later))
  }
  return broken.reverse()
}

/** A cancel waits until its order is on the chain; a later one of another order does not. */
function waitsForOrder({ history }: DecidedOrder, later: DecidedOrder, chain: Chain): boolean {
  if (history.kind === 'order') return false
  const placed = logsOf(chain, cancelName(history.orderId)).find(({ kind }) => kind === 'placed')
  return (placed?.block ?? 0) + SEEN_BLOCKS >= (later.tx.block ?? 0)
}

const overtaken = ({ history, tx }: DecidedOrder, later: DecidedOrder): Breach => ({
  orderId: history.orderId,
  seq: history.promise?.seq ?? 0,
  reason:
    `overtaken in lane ${history.lane}: ${later.history.orderId} arrived later (${arrival(later)}) ` +
    `and went first (nonce ${later.tx.nonce} before ${tx.nonce})`,
})

/** Within a transaction of orders: by class, and by arrival in each. */
function findMisplaced(sent: readonly DecidedOrder[]): readonly Breach[] {
  const placed = sent
    .flatMap(({ history, log }) => (log?.kind === 'placed' ? [{ history, log }] : []))
    .sort((a, b) => a.log.logIndex - b.log.logIndex)
  return placed.flatMap((current, at) => {
    const before = placed[at - 1]
    if (before === undefined) return []
    const order = before.log.rank - current.log.rank || byArrival(before, current)
    if (order < 0) return []
    const { orderId, promise, lane } = current.history
    const reason = `overtaken in lane ${lane} by ${before.history.orderId} of the same transaction`
    return [{ orderId, seq: promise?.seq ?? 0, reason }]
  })
}

type BlockRange = Readonly<{ fromBlock: number; toBlock: number }>

/** Returns what the wallets of the lanes sent in these blocks and the ledger does not have. */
export function findDropped(
  histories: readonly History[],
  chain: Chain,
  { wallets, fromBlock, toBlock }: BlockRange & Readonly<{ wallets: ReadonlySet<string> }>,
): readonly Breach[] {
  const listedIds = new Set(histories.map(({ orderId }) => orderId))
  const orders = [...chain.logs].flatMap(([orderId, logs]) => {
    const venueLog = logs.find(({ block, txHash }) => {
      const from = chain.txs.get(txHash)?.from ?? ''
      return block >= fromBlock && block <= toBlock && wallets.has(from)
    })
    if (venueLog === undefined || listedIds.has(orderId)) return []
    const reason = `${venueLog.kind} by the venue in block ${venueLog.block}, and is not in the ledger`
    return [{ orderId, seq: 0, reason }]
  })
  return [...orders, ...findDroppedCancels(histories, chain, { wallets, fromBlock, toBlock })]
}

/** For an order placed earlier, the id by which its cancel was promised is unknown. */
function findDroppedCancels(
  histories: readonly History[],
  chain: Chain,
  { wallets, fromBlock, toBlock }: BlockRange & Readonly<{ wallets: ReadonlySet<string> }>,
): readonly Breach[] {
  const cancels = histories.filter(({ kind }) => kind !== 'order')
  const listedNames = new Set(cancels.map(({ orderId }) => chainName(chain, orderId)))
  const venueTxs = [...chain.txs.values()].filter(
    ({ from, block = 0 }) => wallets.has(from) && block >= fromBlock && block <= toBlock,
  )
  return venueTxs.flatMap(({ cancels: names, block }) =>
    names.flatMap((name) => {
      if (listedNames.has(name) || !chain.nameable.has(name)) return []
      const reason = `cancelled by the venue in block ${block}, and the cancel is not in the ledger`
      return [{ orderId: name, seq: 0, reason }]
    }),
  )
}
