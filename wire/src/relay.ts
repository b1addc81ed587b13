// The venue's promises: the receipt of each order, the rules of the relayer, and the ledger.
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

/** Lower-case hex of a 32-byte word, and of an ECDSA signature. */
const Word = (description: string) => Type.String({ pattern: '^0x[0-9a-f]{64}$', description })
const Signature = (description: string) =>
  Type.String({ pattern: '^0x[0-9a-f]{130}$', description })

export const Receipt = named(
  'Receipt',
  {
    order_id: Word('Subject of the promise: the EIP-712 digest of the signed message.'),
    received_ns: ns('Time of acceptance; for a held order, time of its release.'),
    seq: Type.Integer({
      minimum: 1,
      description: 'Sequence number of the acceptance, as in the ledger.',
    }),
    lane: Type.String({ description: 'The lane of GET /relay that carries it.' }),
    include_by_block: Type.Integer({
      minimum: 0,
      description:
        'The last block by which it is on the chain, or rejected. 0 while it is held: until its ' +
        'trigger is met, or its parent fills. The receipt of its promise is then in the ledger.',
    }),
    signature: Signature('EIP-712 signature of Receipt by the receipt key of GET /relay.'),
  },
  'Signed promise of the venue: the block by which an order is on the chain, and its sequence.',
)
export type Receipt = Static<typeof Receipt>

/** Entries per page of the ledger. */
export const LEDGER_LIMIT_DEFAULT = 100
const LEDGER_LIMIT_MAX = 1000

const RelayLane = named(
  'RelayLane',
  {
    name: Type.String(),
    address: Address('Its wallet, whose transaction nonces give the order of the lane.'),
    is_funded: Type.Boolean({ description: 'False: it cannot pay and accepts nothing.' }),
    queued: Type.Integer({ description: 'Intents waiting for a transaction.' }),
    sent: Type.Integer({ description: 'Intents in a pending transaction.' }),
    gas: Type.Integer({ description: 'Gas estimate of both.' }),
  },
  'All orders of a market use one lane; cancels have their own.',
)

const gas = (description: string) => Type.Integer({ minimum: 0, description })
const placing = (description: string) =>
  strict(
    {
      place: gas('An order, one of ten in a transaction.'),
      fill: gas('Each maker matched.'),
      position: gas('Each other perpetual position of the account.'),
    },
    description,
  )

const RelayRules = named(
  'RelayRules',
  {
    promise: Type.String({ description: 'Formula of include_by_block.' }),
    promised_blocks: Type.Integer({ description: 'Blocks after the newest one, without a queue.' }),
    window: Type.String({ description: 'Rule for creating a transaction.' }),
    order: Type.Array(Type.String(), {
      description: 'Order within a transaction, first to last; by arrival within each.',
    }),
    lanes: Type.String({ description: 'Order of the transactions of a lane.' }),
    queue_blocks_max: Type.Integer({
      description: 'Maximum queue in blocks of gas; beyond it 429 with Retry-After.',
    }),
    gas: strict(
      {
        spot: placing('At a spot market.'),
        perpetual: placing('At a perpetual market.'),
        cancel: gas('A cancel by the canceller, one of ten.'),
        signed_cancel: gas('A signed cancel.'),
        cancelled_order: gas('Each order in a signed cancel.'),
      },
      'Gas estimates for blocks, queues and budgets, as measured.',
    ),
    ledger: Type.String({ description: 'Content of the ledger, and how its hashes are computed.' }),
    ledger_delay_ms: Type.Integer({ description: 'Delay before an entry is shown.' }),
    ledger_kept_ms: Type.Integer({ description: 'Minimum retention of ended entries.' }),
  },
  'Rules for submitting orders to the chain.',
)

export const Relay = named(
  'Relay',
  {
    receipt_key: nullable(
      Address('Signer of receipts and ledger heads. Null: this node accepts no orders.'),
    ),
    receipt_keys: Type.Array(Address('An address.'), {
      description:
        'Addresses whose receipts and ledger heads are valid: receipt_key first, then those of former and next keys.',
    }),
    typed_data: strict({ Receipt: InfoMessage, LedgerHead: InfoMessage }),
    canceller: nullable(
      Address('The wallet that accounts allow to cancel; null before the first relayer.'),
    ),
    lanes: Type.Array(RelayLane),
    rules: RelayRules,
    status: nullable(
      strict(
        {
          is_live: Type.Boolean({
            description: 'False: no status of the relayer for ten seconds; orders wait.',
          }),
          updated_ms: milliseconds('Time of its last status.'),
          block: Type.Integer({ description: 'The newest block that it has seen.' }),
          block_ms: Type.Integer({ description: 'Recent time between blocks, milliseconds.' }),
          gas_per_block: gas("The relayer's share of a block."),
          orders_per_transaction: Type.Integer(),
          gas_per_transaction: gas('Maximum gas estimate of a transaction with several orders.'),
          queue: strict(
            { gas: gas('What waits.'), blocks: Type.Number({ minimum: 0 }) },
            'Queue of all lanes, as in the 429 answer.',
          ),
        },
        'Status of the relayer.',
      ),
    ),
    ledger: Type.String({ description: 'Path of the ledger.' }),
  },
  'The relayer and its rules.',
)
export type Relay = Static<typeof Relay>

export const RelayLedgerQuery = Type.Object({
  from_seq: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description: 'Entries from this number on, or from from_seq of the answer if those are gone.',
    }),
  ),
  order_id: Type.Optional(
    Type.String({
      pattern: '^(0x[0-9a-f]{64}|cancel:0x[0-9a-f]{64}(:[0-9]{1,20})?)$',
      description: 'Only the entries of this id, with the newest receipts of its promises.',
    }),
  ),
  limit: limit(LEDGER_LIMIT_MAX, LEDGER_LIMIT_DEFAULT),
})

const LEDGER_STATES = [
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
    seq: Type.Integer({ minimum: 1, description: 'Sequence number, without gaps.' }),
    order_id: Type.String({
      description:
        'The EIP-712 digest; for a cancel without a signature, cancel: and its order; for further ' +
        'transactions of one CancelAll, cancel:, its digest, and :1 and so on.',
    }),
    kind: choice(['order', 'cancel', 'signed_cancel', 'signed_cancel_all']),
    lane: Type.String(),
    state: choice(LEDGER_STATES, {
      description:
        'received: held. queued: promised. sent: in a pending transaction. included: on the chain. ' +
        'refused: rejected by the chain. expired: its deadline passed. withdrawn: by its owner.',
    }),
    at_ns: ns('Time of the transition.'),
    include_by_block: Type.Integer({
      minimum: 0,
      description: 'Block promised from this entry on; 0 while it is held.',
    }),
    tx_hash: nullable(Type.String({ description: 'The transaction from this entry on.' })),
    block_number: nullable(Type.Integer({ description: 'The block with the outcome.' })),
    reason: nullable(Type.String({ description: "Reason, mostly the contract's error." })),
    deadline: Type.Optional(seconds('If expired: the last second for its submission.')),
    hash: nullable(
      Type.String({
        description:
          'SHA-256 of the previous hash and, each on a new line, the entries since: seq ' +
          'order_id kind lane state at_ns include_by_block tx_hash block_number reason, a space ' +
          'between two, a dash for null. On the last entry of each commit.',
      }),
    ),
    receipt: Type.Optional(Receipt),
  },
  'A promise, or its outcome.',
)
export type LedgerItem = Static<typeof LedgerItem>

export const RelayLedger = named(
  'RelayLedger',
  {
    entries: Type.Array(LedgerItem),
    from_seq: Type.Integer({ description: 'First number from which all entries are available.' }),
    next_seq: nullable(
      Type.Integer({ description: 'from_seq of the next page; null at the end.' }),
    ),
    head: nullable(
      strict(
        {
          seq: Type.Integer(),
          hash: Type.String(),
          signature: nullable(
            Signature('EIP-712 signature of LedgerHead by the receipt key; null without a key.'),
          ),
        },
        'The newest entry shown, whose hash covers all earlier ones. Null without entries.',
      ),
    ),
  },
  'Every promise and its outcome, without a gap.',
)
export type RelayLedger = Static<typeof RelayLedger>
