// Deposits, withdrawals and transfers of an account. Interface 2.10, 3.2 and 4.4.
import type { Transfer } from '@openvenue/core/records'
import { TRANSFER_TYPES } from '@openvenue/store/account-history'
import type { Static } from '@openvenue/wire/field'
import {
  encodeTransfer,
  TRANSACTIONS_LIMIT_DEFAULT,
  TransactionHistory,
  type TransactionItem,
  TransactionsQuery,
} from '@openvenue/wire/transactions'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { orUnavailable } from '../account/history-page.ts'
import { jsonBytes } from '../prepared.ts'
import { accountGet } from './account-route.ts'
import { answerOnce, type RestDeps, type Routes } from './route.ts'

type Query = Static<typeof TransactionsQuery>

export const transactionHistoryRoutes: Routes = (app, deps) => {
  accountGet(
    app,
    deps,
    {
      path: '/transaction-history',
      below: '/transaction-history',
      summary: 'Deposits, withdrawals and transfers',
      query: TransactionsQuery,
      body: TransactionHistory,
    },
    async ({ caller: { account }, query, reply }) => {
      const { head } = deps.model
      const { limit = TRANSACTIONS_LIMIT_DEFAULT, offset = 0 } = query
      const transfers = await transfersOf(deps, account, query)
      const body = {
        transaction_history: await itemsOf(deps, account, transfers),
        count: String(limit + offset),
      }
      return answerOnce(reply, jsonBytes(body), head)
    },
  )
}

async function transfersOf(
  { accounts, wallets }: RestDeps,
  account: string,
  query: Query,
): Promise<readonly Transfer[]> {
  const { tx_type, tx_status = 'finalized', sort_order, offset = 0 } = query
  const range = timeRangeOr400(query)
  // What the chain told is final to it: no transfer is under way (interface 3.2).
  if (tx_status !== 'finalized') return []
  const number = await orUnavailable(wallets.numberOf(account))
  if (number === undefined) return []
  const { limit = TRANSACTIONS_LIMIT_DEFAULT } = query
  const types = tx_type === undefined ? TRANSFER_TYPES : [tx_type]
  const isAscending = sort_order === 'ASC'
  return orUnavailable(
    accounts.history.transfers({ account: number, types, ...range, isAscending, offset, limit }),
  )
}

async function itemsOf(
  { model, accounts, wallets }: RestDeps,
  account: string,
  transfers: readonly Transfer[],
): Promise<TransactionItem[]> {
  const others = new Set(transfers.flatMap(({ counterparty }) => counterparty ?? []))
  const walletsByNumber = await orUnavailable(wallets.walletsOf([...others]))
  return transfers.flatMap((transfer) => {
    const { counterparty: number } = transfer
    const token = model.state.records.token.get(transfer.token)
    const counterparty = number === null ? null : (walletsByNumber.get(number) ?? null)
    const parties = { account, counterparty, chainId: accounts.settings.chainId }
    // A token that a reorg took back takes its transfers along.
    return token === undefined ? [] : [encodeTransfer(token, transfer, parties)]
  })
}
