// Accounts for all money between two blocks, in quote raw (18 decimals): balances before, movements
// by reason, and balances after. All columns except the first, the deposits and the last sum to
// zero.
import type { LoggedEvent } from '@openvenue/core/events'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import type { Snapshot } from './chain-client.ts'

/** Factor from USDC, which has 6 decimals. */
const TOKEN_SCALE = 10n ** 12n

/** Reason of a movement. `prices` is all without an event of its own: profit, loss and funding. */
export type LedgerColumn =
  | 'before'
  | 'deposits'
  | 'fees'
  | 'liquidationFees'
  | 'takenOver'
  | 'prices'
  | 'after'

export type LedgerRow = Readonly<{ account: number; collateral: bigint }> &
  Readonly<Record<LedgerColumn, bigint>>

export type Ledger = Readonly<{
  rows: readonly LedgerRow[]
  sums: Readonly<Record<LedgerColumn, bigint>>
  /** before + deposits - after: extra or missing equity. Zero. */
  difference: bigint
  /** Total equity less the engine's token balance. Zero. */
  uncovered: bigint
  /** All differences are zero. */
  isBalanced: boolean
}>

type Flow = 'deposits' | 'fees' | 'liquidationFees' | 'takenOver'
const FLOWS: readonly Flow[] = ['deposits', 'fees', 'liquidationFees', 'takenOver']

/** Returns the ledger of `events` of engine `perps`, all between `before` and `after`. */
export function buildLedger(
  { before, after, perps }: Readonly<{ before: Snapshot; after: Snapshot; perps: string }>,
  events: readonly LoggedEvent[],
): Ledger {
  const flows = sumFlows(events, perps)
  const was = new Map(before.holdings.map((holding) => [holding.account, holding]))
  const rows = after.holdings.map(({ account, collateral, equity }): LedgerRow => {
    const begun = was.get(account)?.equity ?? 0n
    const moved = Object.fromEntries(
      FLOWS.map((flow) => [flow, flows[flow].get(account) ?? 0n]),
    ) as Record<Flow, bigint>
    const explained = FLOWS.reduce((sum, flow) => sum + moved[flow], 0n)
    return {
      account,
      collateral,
      before: begun,
      ...moved,
      prices: equity - begun - explained,
      after: equity,
    }
  })
  return { rows, ...sumColumns(rows, after) }
}

function sumColumns(rows: readonly LedgerRow[], { tokens }: Snapshot): Omit<Ledger, 'rows'> {
  const sum = (column: LedgerColumn) => rows.reduce((total, row) => total + row[column], 0n)
  const sums = {
    before: sum('before'),
    deposits: sum('deposits'),
    fees: sum('fees'),
    liquidationFees: sum('liquidationFees'),
    takenOver: sum('takenOver'),
    prices: sum('prices'),
    after: sum('after'),
  }
  const difference = sums.before + sums.deposits - sums.after
  const uncovered = sums.after - tokens * TOKEN_SCALE
  const zeros = [
    difference,
    uncovered,
    sums.fees,
    sums.liquidationFees,
    sums.takenOver,
    sums.prices,
  ]
  return { sums, difference, uncovered, isBalanced: zeros.every((zero) => zero === 0n) }
}

/** Flows by account. */
class Flows {
  readonly deposits = new Map<number, bigint>()
  readonly fees = new Map<number, bigint>()
  readonly liquidationFees = new Map<number, bigint>()
  readonly takenOver = new Map<number, bigint>()

  add(flow: Flow, account: number, amount: bigint): void {
    this[flow].set(account, (this[flow].get(account) ?? 0n) + amount)
  }
}

function sumFlows(events: readonly LoggedEvent[], perps: string): Flows {
  const flows = new Flows()
  for (const event of events) {
    if ('engine' in event && event.engine !== perps) continue
    if ('market' in event && !event.market.startsWith(perps)) continue
    addEvent(flows, event)
  }
  return flows
}

function addEvent(flows: Flows, event: LoggedEvent): void {
  switch (event.type) {
    case 'Deposited':
      flows.add('deposits', event.account, event.amount * TOKEN_SCALE)
      break
    case 'Withdrawn':
      flows.add('deposits', event.account, -event.amount * TOKEN_SCALE)
      break
    case 'Transferred':
      flows.add('deposits', event.from, -event.amount * TOKEN_SCALE)
      flows.add('deposits', event.to, event.amount * TOKEN_SCALE)
      break
    case 'Filled':
      flows.add('fees', event.maker, -event.makerFee)
      flows.add('fees', event.taker, -event.takerFee)
      flows.add('fees', FEE_ACCOUNT, event.makerFee + event.takerFee)
      break
    case 'Liquidated':
      addLiquidation(flows, event)
      break
    case 'Absorbed':
      flows.add('takenOver', event.account, -event.collateral)
      flows.add('takenOver', INSURANCE_ACCOUNT, event.collateral)
      break
  }
}

/** Half of the fee, rounded down, goes to the keeper if it has an account. */
function addLiquidation(flows: Flows, event: Extract<LoggedEvent, { type: 'Liquidated' }>): void {
  const { account, fee, keeper } = event
  const reward = keeper === 0 ? 0n : fee / 2n
  flows.add('liquidationFees', account, -fee)
  if (reward !== 0n) flows.add('liquidationFees', keeper, reward)
  flows.add('liquidationFees', INSURANCE_ACCOUNT, fee - reward)
}
