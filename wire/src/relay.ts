// What the venue promises of orders: the receipt of each, the rules, and the ledger of all.
import Type, { type Static } from 'typebox'
import {
  Address,
  choice,
  limit,
  milliseconds,
  named,
  ns,
  nullable,
  seconds,
  strict,
} from './field.ts'
import { InfoMessage } from './info.ts'

/** Bytes of a word, and of an ECDSA signature, as lower-case hex. */
const Word = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description })
const Signature = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-f]{130}$', description })

export const Receipt = named(
  'Receipt',
  {
    order_id: Word('What is promised: the EIP-712 digest of what was signed.'),
    received_ns: ns('When it was accepted; of an order that was held, when it was let go.'),
    seq: Type.Integer({
      minimum: 1,
      description: 'Its place among all that was accepted: a number of the ledger.',
    }),
    lane: Type.String({ description: 'Which of the lanes of GET /relay carries it.' }),
    include_by_block: Type.Integer({
      minimum: 0,
      description:
        'The last block in which it is on the chain, or refused. 0 while it is held: until its ' +
        'trigger is met, or its parent fills. The ledger then has the receipt of its promise.',
    }),
    signature: Signature('EIP-712 signature of Receipt by the receipt key of GET /relay.'),
  },
  'What the venue promises, signed: by when an order is on the chain, and in which place.',
)
export type Receipt = Static<typeof Receipt>

/** Entries of a page of the ledger. */
export const LEDGER_LIMIT_DEFAULT = 100
export const LEDGER_LIMIT_MAX = 1000

export const RelayLane = named(
  'RelayLane',
  {
    name: Type.String(),
    address: Address('Its wallet: the nonces of its transactions are the order of the lane.'),
    is_funded: Type.Boolean({ description: 'False: it can pay for nothing, and takes nothing.' }),
    queued: Type.Integer({ description: 'What waits for a transaction.' }),
    sent: Type.Integer({ description: 'What waits for a block.' }),
    gas: Type.Integer({ description: 'What both will most likely take.' }),
  },
  'Orders of a market keep to one lane, cancels have one of their own.',
)

const gas = (description: string) => Type.Integer({ minimum: 0, description })
const placing = (description: string) =>
  strict(
    {
      place: gas('An order, one of ten in a transaction.'),
      fill: gas('Each maker that it meets.'),
      position: gas('Each other perpetual position of the account.'),
    },
    description,
  )

export const RelayRules = named(
  'RelayRules',
  {
    promise: Type.String({ description: 'How include_by_block is made.' }),
    promised_blocks: Type.Integer({ description: 'Blocks after the newest one, with no queue.' }),
    window: Type.String({ description: 'When a transaction is made.' }),
    order: Type.Array(Type.String(), {
      description: 'The order inside of a transaction, first to last; by arrival in each.',
    }),
    lanes: Type.String({ description: 'The order of the transactions of a lane.' }),
    queue_blocks_max: Type.Integer({
      description: 'More gas than that of so many blocks does not wait: 429 with Retry-After.',
    }),
    gas: strict(
      {
        spot: placing('At a spot market.'),
        perpetual: placing('At a perpetual market.'),
        cancel: gas('A cancel by the canceller, one of ten.'),
        signed_cancel: gas('A signed cancel.'),
        cancelled_order: gas('Each order that a signed cancel names.'),
      },
      'What counts in blocks, queues and budgets, as measured.',
    ),
    ledger: Type.String({ description: 'What the ledger shows, and how its hashes are made.' }),
    ledger_delay_ms: Type.Integer({ description: 'Entries are shown once they are so old.' }),
    ledger_kept_ms: Type.Integer({ description: 'What has ended is kept so long at least.' }),
  },
  'By what rules orders are brought to the chain.',
)

export const Relay = named(
  'Relay',
  {
    receipt_key: nullable(
      Address('Signs receipts and heads of the ledger. Null: this node accepts no orders.'),
    ),
    typed_data: strict({ Receipt: InfoMessage, LedgerHead: InfoMessage }),
    canceller: nullable(
      Address('The wallet that accounts allow to cancel; null before there was a relayer.'),
    ),
    lanes: Type.Array(RelayLane),
    rules: RelayRules,
    status: nullable(
      strict(
        {
          is_live: Type.Boolean({
            description: 'False: the relayer has said nothing for ten seconds; orders wait.',
          }),
          updated_ms: milliseconds('When it last said how it is.'),
          block: Type.Integer({ description: 'The newest block that it knew of.' }),
          block_ms: Type.Integer({ description: 'From block to block of late, milliseconds.' }),
          gas_per_block: gas("The relayer's share of a block."),
          orders_per_transaction: Type.Integer(),
          gas_per_transaction: gas('The most that a transaction of several orders counts.'),
          queue: strict(
            { gas: gas('What waits.'), blocks: Type.Number({ minimum: 0 }) },
            'What waits for a block in all lanes, as the 429 says it.',
          ),
        },
        'How the relayer is.',
      ),
    ),
    ledger: Type.String({ description: 'Path of the ledger.' }),
  },
  'Who brings orders to the chain, and by what rules.',
)
export type Relay = Static<typeof Relay>

export const RelayLedgerQuery = Type.Object({
  from_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: 'Entries from this number on; from_seq of the answer where those are gone.',
    }),
  ),
  order_id: Type.Optional(
    Type.String({
      pattern: '^(0x[0-9a-f]{64}|cancel:0x[0-9a-f]{64}(:[0-9]{1,20})?)$',
      description: 'Only the entries of this one, with the newest receipts of its promises.',
    }),
  ),
  limit: limit(LEDGER_LIMIT_MAX, LEDGER_LIMIT_DEFAULT),
})

export const LEDGER_STATES = [
  'received',
  'queued',
  'sent',
  'included',
  'refused',
  'expired',
  'withdrawn',
] as const

export const LedgerItem = named(
  'LedgerEntry',
  {
    seq: Type.Integer({ minimum: 1, description: 'Its number; there is none without an entry.' }),
    order_id: Type.String({
      description:
        'The EIP-712 digest; of a cancel without a signature, cancel: and its order; of further ' +
        'transactions of one CancelAll, cancel:, its digest, and :1 and so on.',
    }),
    kind: choice(['order', 'cancel', 'signed_cancel', 'signed_cancel_all']),
    lane: Type.String(),
    state: choice(LEDGER_STATES, {
      description:
        'received: held. queued: promised. sent: a transaction carries it. included: on the chain. ' +
        'refused: the chain would not. expired: its time passed. withdrawn: its owner took it back.',
    }),
    at_ns: ns('When it came so far.'),
    include_by_block: Type.Integer({
      minimum: 0,
      description: 'What is promised from here on; 0 while it is held.',
    }),
    tx_hash: nullable(
      Type.String({ description: 'The transaction that carries it from here on.' }),
    ),
    block_number: nullable(Type.Integer({ description: 'The block that decided.' })),
    reason: nullable(Type.String({ description: "Why it ended: mostly the contract's error." })),
    deadline: Type.Optional(seconds('Of what expired: the last second in which it could be sent.')),
    hash: nullable(
      Type.String({
        description:
          'SHA-256 of the text of the hash before and, each on a new line, the entries since: seq ' +
          'order_id kind lane state at_ns include_by_block tx_hash block_number reason, a space ' +
          'between two, a dash for null. On the last entry of each commit.',
      }),
    ),
    receipt: Type.Optional(Receipt),
  },
  'A promise, or what became of one.',
)
export type LedgerItem = Static<typeof LedgerItem>

export const RelayLedger = named(
  'RelayLedger',
  {
    entries: Type.Array(LedgerItem),
    from_seq: Type.Integer({ description: 'From this number on nothing is gone.' }),
    next_seq: nullable(
      Type.Integer({ description: 'from_seq of the next page; null at the end.' }),
    ),
    head: nullable(
      strict(
        {
          seq: Type.Integer(),
          hash: Type.String(),
          signature: nullable(
            Signature('EIP-712 signature of LedgerHead by the receipt key; null without one.'),
          ),
        },
        'The newest entry that is shown: all before it are in its hash. Null while there is none.',
      ),
    ),
  },
  'Every promise and what became of it, without a gap.',
)
export type RelayLedger = Static<typeof RelayLedger>
