// Deposits, withdrawals and transfers of an account. Interface 2.10, 3.2 and 4.4.

import type { Header } from '@openvenue/core/events'
import type { Transfer } from '@openvenue/core/records'
import { TRANSFER_TYPES } from '@openvenue/store/history/account-history'
import type { Static } from '@openvenue/wire/field'
import {
  encodeTransfer,
  TRANSACTIONS_LIMIT_DEFAULT,
  TransactionHistory,
  type TransactionItem,
  TransactionsQuery,
} from '@openvenue/wire/transactions'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { orUnavailable } from '../http/refusals.ts'
import { accountGet } from './account-route.ts'
import type { Parts, Routes } from './route.ts'

type TransferParts = 'model' | 'history' | 'wallets' | 'fresh'

export const transactionHistoryRoutes: Routes<TransferParts | 'settings' | 'authenticate'> = (
  host,
  deps,
) => {
  accountGet(
    host,
    deps,
    {
      path: '/transaction-history',
      below: '/transaction-history',
      summary: 'Deposits, withdrawals and transfers',
      query: TransactionsQuery,
      body: TransactionHistory,
    },
    async ({ caller: { account }, query, reply }) => {
      const { limit = TRANSACTIONS_LIMIT_DEFAULT, offset = 0 } = query
      const { head, rows: transfers } = await readTransfers(deps, account, query)
      const body = {
        transaction_history: await encodeTransfers(deps, account, transfers),
        count: String(limit + offset),
      }
      return answerOnce(reply, jsonBytes(body), head)
    },
  )
}

/** Transfers with their block. */
type Transfers = Readonly<{ head: Header | undefined; rows: readonly Transfer[] }>

async function readTransfers(
  { model, history, wallets, fresh }: Parts<TransferParts>,
  account: string,
  query: Static<typeof TransactionsQuery>,
): Promise<Transfers> {
  const { tx_type, tx_status = 'finalized', sort_order, offset = 0 } = query
  const range = timeRangeOr400(query)
  // Published transfers are final on their chain: none is pending (interface 3.2).
  const nothing = { head: model.head, rows: [] }
  if (tx_status !== 'finalized') return nothing
  const number = await orUnavailable(wallets.accountNumber(account))
  if (number === undefined) return nothing
  const { limit = TRANSACTIONS_LIMIT_DEFAULT } = query
  const types = tx_type === undefined ? TRANSFER_TYPES : [tx_type]
  const isAscending = sort_order === 'ASC'
  const filter = { account: number, types, ...range, isAscending, offset, limit }
  return orUnavailable(fresh.read((from) => history.transfers(filter, from)))
}

/** Returns transfers as JSON, with the wallets of the other accounts. */
export async function encodeTransfers(
  { model, wallets, settings }: Parts<'model' | 'wallets' | 'settings'>,
  account: string,
  transfers: readonly Transfer[],
): Promise<TransactionItem[]> {
  const others = new Set(transfers.flatMap(({ counterparty }) => counterparty ?? []))
  const walletsByNumber = await orUnavailable(wallets.readWallets([...others]))
  return transfers.flatMap((transfer) => {
    const { counterparty: number } = transfer
    const token = model.state.records.token.get(transfer.token)
    const counterparty = number === null ? null : (walletsByNumber.get(number) ?? null)
    const parties = { account, counterparty, chainId: settings.chainId }
    // Transfers of a token that a reorg removed are dropped with it.
    return token === undefined ? [] : [encodeTransfer(token, transfer, parties)]
  })
}
