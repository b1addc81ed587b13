// Has the page export a table, and writes what REST says of the same rows, for both to be compared.
import type { shapes } from 'openvenue'
import type { Page } from 'playwright-core'
import { downloadText } from './browser.ts'

/** Cells of a row, by the titles of their columns. */
export type Row = Readonly<Record<string, string>>

/** Opens a table, saves it as a file, and returns the rows of that. */
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

/** Saves a table by its own button, and returns the rows of the file. */
export async function savedRows(page: Page, name: string): Promise<readonly Row[]> {
  const wait = page.waitForEvent('download')
  await page.getByRole('button', { name: `Export ${name}`, exact: true }).click()
  return rowsOf(await downloadText(await wait))
}

/** Reads a line of a CSV file. */
const fieldsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

/** Returns those columns of rows alone, for others that are not compared. */
export const columns = (rows: readonly Row[], names: readonly string[]): readonly Row[] =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? ''])))

const DASH = '–'

/** A position that an account has by REST is one of these, or a spot balance. */
export const isPerpetual = (
  one: shapes.Account['positions'][number],
): one is shapes.PerpetualPosition => one.instrument_type === 'PERPETUAL'

/** A position by REST; its mark and what follows from it move on. */
export const positionCells = (one: shapes.PerpetualPosition): Row => ({
  Market: one.instrument_name,
  Size: `${one.side === 'buy' ? 'long' : 'short'} ${one.amount}`,
  Entry: one.avg_entry_price,
})

/** An order that lives, by REST. */
export const orderCells = (one: shapes.Order): Row => ({
  ...{ Market: one.instrument_name, Side: one.side, Price: one.price, Amount: one.amount },
  ...{ Filled: one.filled, Trigger: one.trigger ?? DASH },
})

/** An order that has ended, by REST. */
export const pastCells = (one: shapes.PastOrder): Row => ({
  ...{ Market: one.instrument_name, Side: one.side, Price: one.price, Average: one.avg_price },
  ...{ Amount: one.amount, Filled: one.filled, Status: one.order_status },
})

/** A deposit, a withdrawal or a transfer, by REST. */
export const transferCells = (one: shapes.Transaction): Row => ({
  ...{ Kind: one.tx_type, Token: one.collateral_asset, Amount: one.amount },
  Block: String(one.block_number),
})

/** An hour's funding, by REST. */
export const fundingCells = (one: shapes.FundingPayment): Row => ({
  ...{ Market: one.instrument_name, Side: one.side, Size: one.amount, Mark: one.mark_price },
})
