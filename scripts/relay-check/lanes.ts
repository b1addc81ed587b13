// Checks that the lanes keep their order, and that the ledger has all that their wallets did.
import {
  type Broken,
  type Chain,
  type ChainLog,
  type ChainTx,
  type History,
  logsOf,
} from './histories.ts'

/** An order in the transaction that decided it. */
type Sent = Readonly<{ history: History; log: ChainLog; tx: ChainTx }>

/** Returns the orders that later ones of their lane overtook. */
export function checkLanes(
  histories: readonly History[],
  chain: Chain,
  wallets: ReadonlySet<string>,
): readonly Broken[] {
  const sent = histories.flatMap((history) => findSent(history, chain, wallets))
  const queues = Map.groupBy(sent, ({ tx }) => `${tx.from} ${tx.to}`)
  return [...queues.values()].flatMap((own) => [
    ...findOvertaken(own),
    ...[...Map.groupBy(own, ({ tx }) => tx.hash).values()].flatMap(findMisplaced),
  ])
}

/** What went again after a transaction that brought nothing has lost its place. */
function findSent(history: History, chain: Chain, wallets: ReadonlySet<string>): readonly Sent[] {
  const { entries, kind, promise, orderId } = history
  const times = (state: string) => entries.filter((entry) => entry.state === state).length
  if (kind !== 'order' || promise === undefined || times('sent') > 1 || times('queued') > 1)
    return []
  const [log] = logsOf(chain, orderId)
  const tx = log && chain.txs.get(log.txHash)
  return log === undefined || tx === undefined || !wallets.has(tx.from)
    ? []
    : [{ history, log, tx }]
}

const arrival = ({ history }: Sent) => history.promise?.seq ?? 0
const byArrival = (a: Sent, b: Sent) => arrival(a) - arrival(b)

/** By arrival, nonces never fall: where one does, the one before it was overtaken. */
function findOvertaken(sent: readonly Sent[]): readonly Broken[] {
  const broken: Broken[] = []
  // From the last arrival back: the least nonce of all that came later.
  let later: Sent | undefined
  for (const one of [...sent].sort(byArrival).reverse()) {
    if (later !== undefined && later.tx.nonce < one.tx.nonce) broken.push(overtaken(one, later))
    else later = one
  }
  return broken.reverse()
}

const overtaken = ({ history, tx }: Sent, later: Sent): Broken => ({
  orderId: history.orderId,
  seq: history.promise?.seq ?? 0,
  says:
    `overtaken in lane ${history.lane}: ${later.history.orderId} arrived later (${arrival(later)}) ` +
    `and went first (nonce ${later.tx.nonce} before ${tx.nonce})`,
})

/** Within a transaction: by class, and by arrival in each. */
function findMisplaced(sent: readonly Sent[]): readonly Broken[] {
  const placed = sent
    .filter(({ log }) => log.kind === 'placed')
    .sort((a, b) => a.log.logIndex - b.log.logIndex)
  return placed.flatMap((one, at) => {
    const before = placed[at - 1]
    if (before === undefined) return []
    const order = before.log.rank - one.log.rank || byArrival(before, one)
    if (order < 0) return []
    const { orderId, promise, lane } = one.history
    const says = `overtaken in lane ${lane} by ${before.history.orderId} of the same transaction`
    return [{ orderId, seq: promise?.seq ?? 0, says }]
  })
}

export type Covered = Readonly<{ fromBlock: number; toBlock: number }>

/** Returns what the wallets of the lanes sent in these blocks and the ledger does not have. */
export function findDropped(
  histories: readonly History[],
  chain: Chain,
  { wallets, fromBlock, toBlock }: Covered & Readonly<{ wallets: ReadonlySet<string> }>,
): readonly Broken[] {
  const known = new Set(histories.map(({ orderId }) => orderId))
  return [...chain.logs].flatMap(([orderId, logs]) => {
    const own = logs.find(({ block, txHash }) => {
      const from = chain.txs.get(txHash)?.from ?? ''
      return block >= fromBlock && block <= toBlock && wallets.has(from)
    })
    if (own === undefined || known.has(orderId)) return []
    const says = `${own.kind} by the venue in block ${own.block}, and is not in the ledger`
    return [{ orderId, seq: 0, says }]
  })
}
