// Reads the deposits and withdrawals of the account.
import type { Currency, Dict, Int, Str, Transaction } from 'ccxt'
import type { shapes } from 'openvenue'
import { VenueAccount } from './account.ts'
import { type RowRange, rangeOf } from './params.ts'

const ROWS_MAX = 1000
/** Default `limit` of `fetchDeposits` and `fetchWithdrawals`. */
const ROWS_DEFAULT = 1000
/** Maximum offset of the venue; use `since` and `until` for older rows. */
const OFFSET_MAX = 100_000

type TransferRange = RowRange & Readonly<{ code: Str; params: Dict }>

export class VenueTransfers extends VenueAccount {
  override async fetchDeposits(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.readTransfers('deposit', { code, ...rangeOf(since, limit), params })
  }

  override async fetchWithdrawals(
    code?: Str,
    since?: Int,
    limit?: Int,
    params: Dict = {},
  ): Promise<Transaction[]> {
    return this.readTransfers('withdraw', { code, ...rangeOf(since, limit), params })
  }

  /** Without `since` the newest rows, otherwise the oldest from then on. */
  async readTransfers(
    tx_type: 'deposit' | 'withdraw',
    { code, since, limit, params }: TransferRange,
  ) {
    await this.loadMarkets()
    const currency = code === undefined ? undefined : this.currency(code)
    const [until, rest] = this.untilOf(params)
    const most = limit ?? ROWS_DEFAULT
    const rows: shapes.Transaction[] = []
    for (let offset = 0; offset <= OFFSET_MAX && rows.length < most; offset += ROWS_MAX) {
      const query = {
        tx_type,
        offset,
        limit: ROWS_MAX,
        sort_order: since === undefined ? 'DESC' : 'ASC',
        ...(since !== undefined && { start_time: since }),
        ...(until !== undefined && { end_time: until }),
      }
      const page = await this.ask('GET /transaction-history', { query, params: rest })
      const { transaction_history: transfers } = page
      const isOfIt = (row: shapes.Transaction) =>
        code === undefined || this.safeCurrencyCode(row.collateral_asset) === currency?.code
      rows.push(...transfers.filter(isOfIt))
      if (transfers.length < ROWS_MAX) break
    }
    const taken = rows.slice(0, most)
    // Rows of the same second keep their order.
    if (since === undefined) taken.reverse()
    return this.parseTransactions(taken, currency, since, limit)
  }

  override parseTransaction(row: shapes.Transaction, currency?: Currency): Transaction {
    const timestamp = this.msOf(row.finalized_timestamp)
    const isDeposit = row.tx_type === 'deposit'
    const [from, to] = isDeposit
      ? [row.account, undefined]
      : [undefined, row.recipient ?? undefined]
    return {
      info: row,
      id: row.tx_hash,
      txid: row.tx_hash,
      timestamp,
      datetime: this.iso8601(timestamp),
      network: undefined,
      address: to ?? from,
      addressFrom: from,
      addressTo: to,
      tag: undefined,
      tagFrom: undefined,
      tagTo: undefined,
      type: isDeposit ? 'deposit' : 'withdrawal',
      amount: this.parseNumber(row.amount),
      currency: this.safeCurrencyCode(row.collateral_asset, currency),
      status: 'ok',
      updated: timestamp,
      comment: undefined,
      internal: false,
      fee: undefined,
    } as unknown as Transaction
  }
}
