// Formats the crash as text: closes and their kinds, insurance, and the ledger.

import type { LoggedEvent } from '@openvenue/core/events'
import { E18 } from '@openvenue/core/integers'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import { formatRaw } from '@openvenue/core/units'
import { ACTORS, type Actor, CRASH_MARKET } from './actors.ts'
import type { Difference } from './api-check.ts'
import type { CrashResult } from './crash.ts'
import type { Ledger, LedgerColumn, LedgerRow } from './ledger.ts'

const DECIMALS = 18

type Names = (account: number) => string

/** Returns the whole report, a line each. */
export function writeReport(result: CrashResult, differences: readonly Difference[]): string[] {
  const names = nameAccounts(result)
  return [
    '',
    'WHO HELD WHAT',
    ...ACTORS.map(actorLine),
    '',
    'WHAT WAS CLOSED BY FORCE',
    ...listCloses(result.events, names),
    '',
    'INSURANCE',
    ...insuranceLines(result.ledger),
    '',
    'LEDGER (USDC, exact)',
    ...ledgerTable(result.ledger, names),
    '',
    ...verdicts(result.ledger, differences),
  ]
}

function nameAccounts({ accounts }: CrashResult): Names {
  const names = new Map<number, string>([
    [INSURANCE_ACCOUNT, 'insurance'],
    [FEE_ACCOUNT, 'fees'],
  ])
  for (const { index, name } of ACTORS) names.set(accounts.get(index) ?? 0, name)
  return (account) => names.get(account) ?? `account ${account}`
}

function actorLine({ name, role, isLong, milliEth, stake }: Actor): string {
  const amount = formatRaw(milliEth, 3)
  return `${name.padEnd(9)} ${isLong ? 'long' : 'short'} ${amount} ETH, leverage ${formatRaw(100_000n / stake, 1)}: ${role}`
}

const money = (raw: bigint) => formatRaw(raw, DECIMALS)
const eth = (lots: bigint) => formatRaw(lots * CRASH_MARKET.amountStep, DECIMALS)
/** The price of a whole ETH at `unit` of quote raw a lot. */
const price = (unit: bigint) => money((unit * E18) / CRASH_MARKET.amountStep)

/* WHAT WAS CLOSED */

function listCloses(events: readonly LoggedEvent[], names: Names): string[] {
  const lines: string[] = []
  /** Fills of the current forced order: lots and their quote. */
  let filled = { order: 0, lots: 0n, units: 0n }
  for (const event of events) {
    if (event.type === 'Liquidating') filled = { order: event.order, lots: 0n, units: 0n }
    if (event.type === 'Filled' && event.takerOrder === filled.order)
      filled = {
        order: filled.order,
        lots: filled.lots + event.lots,
        units: filled.units + event.lots * BigInt(event.tick),
      }
    const line = closeLine(event, names, filled)
    if (line !== undefined) lines.push(line)
  }
  return lines.length === 0 ? ['nothing'] : lines
}

function closeLine(
  event: LoggedEvent,
  names: Names,
  { lots, units }: Readonly<{ lots: bigint; units: bigint }>,
): string | undefined {
  if (event.type === 'Liquidated') {
    const at = money((units * CRASH_MARKET.priceStep) / (lots || 1n))
    const reward = event.keeper === 0 ? '' : `, half of it to ${names(event.keeper)}`
    return `liquidated   ${names(event.account)}: ${eth(event.lots)} ETH on the book at ${at}, fee ${money(event.fee)}${reward}`
  }
  if (event.type === 'Absorbed')
    return `absorbed     ${names(event.account)}: ${eth(event.lots)} ETH by insurance at ${price(event.unit)}, with ${money(event.collateral)} of collateral`
  if (event.type === 'Deleveraged')
    return `deleveraged  ${names(event.loser)}: ${eth(event.lots)} ETH against ${names(event.winner)} at ${price(event.unit)}`
  return undefined
}

function insuranceLines({ rows }: Ledger): string[] {
  const row = rows.find(({ account }) => account === INSURANCE_ACCOUNT)
  if (row === undefined) return []
  return [
    `before ${money(row.before + row.deposits)}, after ${money(row.after)}:`,
    `fees of liquidations ${money(row.liquidationFees)}, taken over ${money(row.takenOver)}, prices ${money(row.prices)}`,
  ]
}

/* THE LEDGER */

const COLUMNS: readonly (readonly [LedgerColumn | 'collateral' | 'positions', string])[] = [
  ['before', 'before'],
  ['deposits', 'deposits'],
  ['fees', 'fees'],
  ['liquidationFees', 'liquidation fees'],
  ['takenOver', 'taken over'],
  ['prices', 'prices, funding'],
  ['after', 'after'],
  ['collateral', 'of it collateral'],
  ['positions', 'and positions'],
]

function ledgerTable({ rows, sums }: Ledger, names: Names): string[] {
  const collateral = rows.reduce((sum, row) => sum + row.collateral, 0n)
  const lines = [
    ['', ...COLUMNS.map(([, title]) => title)],
    ...rows.map((row) => [names(row.account), ...ledgerCells(row)]),
    ['sum', ...ledgerCells({ ...sums, collateral })],
  ]
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, at) =>
        at === 0 ? cell.padEnd(widths?.[at] ?? 0) : cell.padStart(widths?.[at] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

const ledgerCells = (row: Omit<LedgerRow, 'account'>) =>
  COLUMNS.map(([column]) =>
    money(column === 'positions' ? row.after - row.collateral : row[column]),
  )

function verdicts(ledger: Ledger, differences: readonly Difference[]): string[] {
  const { difference, uncovered, sums, isBalanced } = ledger
  const moved = sums.fees + sums.liquidationFees + sums.takenOver + sums.prices
  return [
    `before + deposits - after = ${money(difference)}`,
    `all that moved between accounts = ${money(moved)}`,
    `equity of all - tokens of the engine = ${money(uncovered)}`,
    isBalanced ? 'The ledger sums to zero.' : 'THE LEDGER DOES NOT SUM TO ZERO.',
    ...(differences.length === 0
      ? ['The API equals the contracts for every account.']
      : differences.map(
          ({ who, member, api, chain }) =>
            `API: ${member} of ${who} is ${api}, on the chain ${chain}`,
        )),
  ]
}
