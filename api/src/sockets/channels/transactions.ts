// transactions: one message for each deposit, withdrawal or transfer of an account, with its id.
import type { Transfer } from '@openvenue/core/records'
import { TRANSFER_TYPES } from '@openvenue/store/history/account-history'
import { encodeTransfer } from '@openvenue/wire/transactions'
import type { Wallets } from '../../account/wallets.ts'
import type { PrivateChannel } from '../streams/channel.ts'
import { END_OF_TIME_S, type RowsDeps, rowsChannel, SNAPSHOT_ROWS } from './account-rows.ts'

type TransactionsDeps = RowsDeps & Readonly<{ wallets: Wallets; chainId: number }>

export function transactionsChannel(deps: TransactionsDeps): PrivateChannel {
  const { model, history, wallets, chainId } = deps
  return rowsChannel<Transfer>(deps, {
    member: 'transactions',
    changes: ({ transfers }) => transfers,
    read: (account, from) => {
      const filter = { account, types: TRANSFER_TYPES, fromSeconds: 0, toSeconds: END_OF_TIME_S }
      const page = { isAscending: false, offset: 0, limit: SNAPSHOT_ROWS }
      return history.transfers({ ...filter, ...page }, from)
    },
    encode: async ({ wallet }, transfers) => {
      const others = transfers.flatMap(({ counterparty }) => counterparty ?? [])
      const walletOf =
        others.length === 0 ? NO_WALLETS : await wallets.readWallets([...new Set(others)])
      return transfers.flatMap((transfer) => {
        const token = model.state.records.token.get(transfer.token)
        const { counterparty: other } = transfer
        const counterparty = other === null ? null : (walletOf.get(other) ?? null)
        if (token === undefined) return []
        const item = encodeTransfer(token, transfer, { account: wallet, counterparty, chainId })
        return [{ transaction_id: transfer.id, ...item }]
      })
    },
  })
}

const NO_WALLETS: ReadonlyMap<number, string> = new Map()
