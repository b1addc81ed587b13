// Exports tables from the page, and formats the same rows of REST for comparison.
import type { shapes } from 'openvenue'
import type { Page } from 'playwright-core'
import { downloadText } from './browser.ts'

/** Cells of a row by column title. */
export type Row = Readonly<Record<string, string>>

/** Opens a table, saves it as a file, and returns the rows of the file. */
export async function exportTable(page: Page, tab: string): Promise<readonly Row[]> {
  const bottom = page.locator('.bottom')
  await bottom
    .locator('.tabs')
    .getByRole('button', { name: new RegExp(`^${tab}`, 'i') })
    .click()
  const button = bottom.getByRole('button', { name: 'Export', exact: true })
  await button.and(page.locator(':enabled')).waitFor()
  const wait = page.waitForEvent('download')
  await button.click()
  const download = await wait
  if (download.suggestedFilename() !== `${tab}.csv`)
    throw new Error(`the file is called ${download.suggestedFilename()}`)
  return rowsOf(await downloadText(download))
}

function rowsOf(file: string): readonly Row[] {
  const [titles = '', ...lines] = file.trim().split('\r\n')
  const names = fieldsOf(titles)
  return lines.map((line) =>
    Object.fromEntries(fieldsOf(line).map((text, at) => [names[at], text])),
  )
}

/** Saves a table with its own button, and returns the rows of the file. */
export async function savedRows(page: Page, name: string): Promise<readonly Row[]> {
  const wait = page.waitForEvent('download')
  await page.getByRole('button', { name: `Export ${name}`, exact: true }).click()
  return rowsOf(await downloadText(await wait))
}

const fieldsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

/** Returns rows with only the compared columns. */
export const columns = (rows: readonly Row[], names: readonly string[]): readonly Row[] =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ''])))

const DASH = '–'

/** A position of REST is one of these, or a spot balance. */
export const isPerpetual = (
  one: shapes.Account['positions'][number],
): one is shapes.PerpetualPosition => one.instrument_type === 'PERPETUAL'

/** Cells of a position of REST, except its mark and values that depend on it. */
export const positionCells = (one: shapes.PerpetualPosition): Row => ({
  Market: one.instrument_name,
  Size: `${one.side === 'buy' ? 'long' : 'short'} ${one.amount}`,
  Entry: one.avg_entry_price,
})

/** Cells of an open order of REST. */
export const orderCells = (one: shapes.Order): Row => ({
  ...{ Market: one.instrument_name, Side: one.side, Price: one.price, Amount: one.amount },
  ...{ Filled: one.filled, Trigger: one.trigger ?? DASH },
})

/** Cells of a closed order of REST. */
export const pastCells = (one: shapes.PastOrder): Row => ({
  ...{ Market: one.instrument_name, Side: one.side, Price: one.price, Average: one.avg_price },
  ...{ Amount: one.amount, Filled: one.filled, Status: one.order_status },
})

/** Cells of a deposit, a withdrawal or a transfer of REST. */
export const transferCells = (one: shapes.Transaction): Row => ({
  ...{ Kind: one.tx_type, Token: one.collateral_asset, Amount: one.amount },
  Block: String(one.block_number),
})
