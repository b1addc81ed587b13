// Reads balances of accounts at the last committed block, for a comparison with the contracts.
import type { Reader, SnapshotWindows } from '@openvenue/store/store'

/** Maximum rows of a list; a larger venue is compared account by account. */
const SNAPSHOT_ROWS_MAX = 10_000

/** Amounts are raw integers as decimal text; fields are those of core's records. */
type AccountsSnapshot = Readonly<{
  blockNumber: number
  blockHash: string
  /** True: a list was cut at SNAPSHOT_ROWS_MAX. */
  isTruncated: boolean
  balances: readonly object[]
  collaterals: readonly object[]
  positions: readonly object[]
  tickers: readonly object[]
}>

const KINDS = {
  balances: 'balance',
  collaterals: 'collateral',
  positions: 'position',
  tickers: 'ticker',
} as const

const SHOWN: SnapshotWindows = {
  kinds: Object.values(KINDS),
  trades: 0,
  candles: {},
  settlements: 0,
  priceSeconds: Number.MAX_SAFE_INTEGER,
  poolHoursFrom: Number.MAX_SAFE_INTEGER,
}

/**
 * Returns a function that reads the snapshot; undefined before the first block. Concurrent callers
 * share one read.
 */
export function snapshotReader(reader: Reader): () => Promise<AccountsSnapshot | undefined> {
  let reading: Promise<AccountsSnapshot | undefined> | undefined
  return () => {
    reading ??= readSnapshot(reader).finally(() => {
      reading = undefined
    })
    return reading
  }
}

async function readSnapshot(reader: Reader): Promise<AccountsSnapshot | undefined> {
  const { state } = await reader.snapshot(SHOWN)
  if (state.head === undefined) return undefined
  const listRows = (kind: (typeof KINDS)[keyof typeof KINDS]) => firstRows(state.records[kind])
  return {
    blockNumber: state.head.number,
    blockHash: state.head.hash,
    isTruncated: Object.values(KINDS).some((kind) => state.records[kind].size > SNAPSHOT_ROWS_MAX),
    balances: listRows(KINDS.balances),
    collaterals: listRows(KINDS.collaterals),
    positions: listRows(KINDS.positions),
    tickers: listRows(KINDS.tickers),
  }
}

const firstRows = (rows: ReadonlyMap<string, object>) =>
  [...rows.values()].slice(0, SNAPSHOT_ROWS_MAX).map(plain)

const plain = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : value,
    ]),
  )
