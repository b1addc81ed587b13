// Deposits, withdrawals and transfers of an account. Interface 2.10, 3.2 and 4.4.
import type { Token, Transfer } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import Type, { type Static } from 'typebox'
import { timeRange } from './account-query.ts'
import { nsText } from './decimal.ts'
import { Address, choice, decimal, limit, named, ns, nullable } from './field.ts'

/** Interface 8. */
export const TRANSACTIONS_LIMIT_DEFAULT = 50
const TRANSACTIONS_LIMIT_MAX = 1000
/** Maximum offset: skipped rows have to be read; time ranges reach further. */
const TRANSACTIONS_OFFSET_MAX = 100_000

export const TX_TYPES = ['deposit', 'withdraw', 'send', 'receive'] as const

export const TransactionItem = named(
  'Transaction',
  {
    account: Address('Wallet of the account.'),
    tx_type: choice(TX_TYPES),
    tx_status: Type.Literal('finalized'),
    collateral: Address('The token.'),
    collateral_asset: Type.String({ description: 'Symbol of the token.' }),
    collateral_name: Type.String({ description: 'Name of the token.' }),
    decimals: Type.Integer({ description: 'Decimals of the token.' }),
    amount: decimal('Human units.'),
    counter_party: nullable(Address('Wallet of the other account of a send or receive.')),
    recipient: nullable(Address('Recipient of a withdrawal.')),
    tx_hash: Type.String(),
    l1_tx_hash: Type.Null(),
    l2_tx_hash: Type.String({ description: 'Same as tx_hash.' }),
    chain_id: Type.Integer(),
    block_number: Type.Integer(),
    initiated_timestamp: ns('Time of the block.'),
    finalized_timestamp: ns('Time of the block.'),
  },
  'A deposit, withdrawal or transfer of tokens.',
)
export type TransactionItem = Static<typeof TransactionItem>

export const TransactionHistory = named(
  'TransactionHistory',
  {
    transaction_history: Type.Array(TransactionItem),
    count: Type.String({
      pattern: '^[0-9]+$',
      description: 'limit + offset: the size of the window that was read, not the total.',
    }),
  },
  'Deposits, withdrawals and transfers, newest first by default.',
)
export type TransactionHistory = Static<typeof TransactionHistory>

export const TransactionsQuery = Type.Object({
  tx_type: Type.Optional(choice(TX_TYPES, { description: 'Only transactions of this type.' })),
  ...timeRange,
  limit: limit(TRANSACTIONS_LIMIT_MAX, TRANSACTIONS_LIMIT_DEFAULT),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: TRANSACTIONS_OFFSET_MAX,
      default: 0,
      description: 'Number of rows to skip.',
    }),
  ),
  tx_status: Type.Optional(Type.String({ description: 'Only finalized returns rows.' })),
  sort_order: Type.Optional(
    Type.String({ description: 'ASC for oldest first; any other value is newest first.' }),
  ),
})

/** The parties of a transfer as wallets, and its chain. */
type TransferParties = Readonly<{
  account: string
  /** Null if there is none. */
  counterparty: string | null
  chainId: number
}>

/** Returns a transfer of an account. */
export const encodeTransfer = (
  token: Token,
  transfer: Transfer,
  { account, counterparty, chainId }: TransferParties,
): TransactionItem => ({
  account,
  tx_type: transfer.type as TransactionItem['tx_type'],
  tx_status: 'finalized',
  collateral: token.address,
  collateral_asset: token.symbol,
  collateral_name: token.name,
  decimals: token.decimals,
  amount: formatRaw(transfer.amount, token.decimals),
  counter_party: counterparty,
  recipient: transfer.recipient,
  tx_hash: transfer.txHash,
  l1_tx_hash: null,
  l2_tx_hash: transfer.txHash,
  chain_id: chainId,
  block_number: transfer.blockNumber,
  initiated_timestamp: nsText(transfer.seconds),
  finalized_timestamp: nsText(transfer.seconds),
})
