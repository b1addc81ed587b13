// Declares the records of accounts: transfers, fills, cycles of positions, funding and
// holdings.
import { TIMES_IN_FORCE } from './events.ts'
import { LOG_FIELDS, oneOf, oneOfOrNull, type RecordSchema } from './record-schema.ts'

export const ORDER_STATUSES = ['open', 'partial', 'filled', 'cancelled'] as const

export const ACCOUNT_RECORDS = {
  /**
   * Tokens that came, went or changed hands, seen from one account: a transfer between accounts is
   * two of them. `id` is `<block>-<logIndex>`, of a transfer with `-s` (send) or `-r` (receive).
   */
  transfer: {
    table: 'transfers',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      type: oneOf('deposit', 'withdraw', 'send', 'receive'),
      engine: 'address',
      account: 'account',
      /** The other account of a send or receive, else null. */
      counterparty: 'account?',
      /** Where a withdrawal went, else null. */
      recipient: 'address?',
      token: 'address',
      /** Raw units of the token, above zero. */
      amount: 'raw',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * One account's side of a trade, or of a position that changed hands off the book. `id` is the
   * trade's with `-m` (maker) or `-t` (taker), or that of the forced close with `-f` (from whom) or
   * `-g` (who got it). What the account held before, and what the fill closed, are written down, so
   * that no reader replays.
   */
  fill: {
    table: 'fills',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      account: 'account',
      market: 'market',
      /** liquidation: by a forced order. */
      kind: oneOf('trade', 'liquidation', 'absorption', 'deleverage'),
      /** Of the order; null off the book, as all that is of it. */
      orderNumber: 'orderNumber?',
      /** Digest of the order when it was signed, else null. */
      ref: 'hash?',
      timeInForce: oneOfOrNull(...TIMES_IN_FORCE),
      isBuy: 'bool',
      /** False off the book. */
      isMaker: 'bool',
      /** Null off the book. */
      tick: 'tick?',
      /** Off the book: quote raw per lot, which may be below zero; else null. */
      unit: 'perLot?',
      lots: 'lots',
      /** Quote raw; negative is a rebate. */
      fee: 'quote',
      /**
       * Quote raw that left the account because the close was forced, negative when it came: at the
       * last fill of a forced order the fee of them all, at an absorption the collateral that
       * moved.
       */
      liquidationFee: 'quote',
      /** Lots of the order filled so far, this fill included, and its status then. */
      orderFilledLots: 'lots?',
      orderStatus: oneOfOrNull(...ORDER_STATUSES),
      /** Perpetual: signed lots and quote of the position before the fill; spot: null. */
      heldLots: 'lots?',
      heldQuote: 'quote?',
      /** Perpetual: lots of it that closed the position, at least 0; spot: null. */
      closedLots: 'lots?',
      /**
       * Quote raw. Perpetual: what the closed part made, 0 when it closed nothing. Spot: what a
       * sale made over the average cost, null for a purchase or while that cost is not known.
       */
      realised: 'quote?',
      /** Mark of the market and index of its asset at the fill, as their records hold them. */
      mark: 'price?',
      index: 'price?',
      ...LOG_FIELDS,
      seconds: 'seconds',
      /** Of the order, as the venue accepted it. */
      isMarket: 'bool',
      clientOrderId: 'text?',
    },
  },
  /**
   * The running cycle of a perpetual position, from flat on. A flip ends one and begins another.
   * All but lots are quote raw: `*Quote` what lots were bought or sold for, `funding` and
   * `realised` above zero when the account received, `fees` when it paid.
   */
  cycle: {
    table: 'open_cycles',
    key: ['market', 'account'],
    fields: {
      market: 'market',
      account: 'account',
      /** Id of the fill that began it. */
      openId: 'text',
      isLong: 'bool',
      maxLots: 'lots',
      /** Largest |quote| of the position: what it cost at its largest. */
      maxQuote: 'quote',
      openedLots: 'lots',
      closedLots: 'lots',
      openedQuote: 'quote',
      closedQuote: 'quote',
      realised: 'quote',
      fees: 'quote',
      /** The part of the fees that was paid because a close was forced. */
      liquidationFees: 'quote',
      /** Funding since the cycle began, up to `fundingIndex`. */
      funding: 'quote',
      /** The part of it that is in no fundingPayment yet. */
      unsettledFunding: 'quote',
      fundingIndex: 'perLot',
      fillCount: 'int',
      openTxHash: 'hash',
      openedSeconds: 'seconds',
      /** Of its newest fill. */
      updatedSeconds: 'seconds',
    },
  },
  /** A cycle that has ended. `id` is that of the fill that ended it; the log is that of the end. */
  closedCycle: {
    table: 'position_cycles',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      market: 'market',
      account: 'account',
      openId: 'text',
      isLong: 'bool',
      maxLots: 'lots',
      maxQuote: 'quote',
      openedLots: 'lots',
      closedLots: 'lots',
      openedQuote: 'quote',
      closedQuote: 'quote',
      realised: 'quote',
      fees: 'quote',
      liquidationFees: 'quote',
      funding: 'quote',
      fillCount: 'int',
      /** That bound at the end: the account's own, at most the market's. */
      leverage: 'int',
      reason: oneOf('trade', 'flip', 'liquidation', 'adl'),
      openTxHash: 'hash',
      openedSeconds: 'seconds',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * A position or a part of it that was closed by force. `id` is `<block>-<logIndex>`. Its fills
   * say the same from each side; who got the fee of a close on the book is said here alone.
   */
  forcedClose: {
    table: 'forced_closes',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      /** liquidation: on the book. */
      kind: oneOf('liquidation', 'absorption', 'deleverage'),
      market: 'market',
      account: 'account',
      /** The keeper who liquidated, if it has an account; insurance; or the winner. */
      counterparty: 'account?',
      /** Signed, as the position. */
      lots: 'lots',
      /** Quote raw that the lots changed hands for; below zero only in a deleverage. */
      quote: 'quote',
      /** Quote raw that left the account besides; below zero when insurance paid it in. */
      fee: 'quote',
      /** The part of it that the counterparty got; insurance got the rest. */
      reward: 'quote',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * Funding of one position for one hour, written when the hour is settled, 0 included; the part of
   * an hour before the end of a cycle is written with that end, unless it is 0. All rows of a cycle
   * add up to its funding, those of all accounts of a market to zero each hour. `id` is
   * `<block>-<logIndex>-<account>`.
   */
  fundingPayment: {
    table: 'funding_payments',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      account: 'account',
      market: 'market',
      /** Signed lots of the position that paid: at the settlement, or before the end. */
      lots: 'lots',
      /** At which the hour accrued, 18 decimals, and its rate per hour. */
      mark: 'price',
      rate: 'rate',
      /** Quote raw; above zero when the account received. */
      amount: 'quote',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * Base an account bought in a spot market and still holds, at its average cost. Purchases add to
   * it, sales take from it first, at the average cost cut towards zero. It ends when nothing is
   * left of it or the account holds none of the token. Tokens that came or went otherwise are not
   * in it: the cost of a balance (free and locked) is known only while `amount` equals it.
   */
  holding: {
    table: 'holdings',
    key: ['market', 'account'],
    fields: {
      market: 'market',
      account: 'account',
      /** Base raw. */
      amount: 'base',
      /** Quote raw, what `amount` cost. */
      cost: 'quote',
      /** Quote raw, made over the average cost by sales since the holding began. */
      realised: 'quote',
      openedSeconds: 'seconds',
      updatedSeconds: 'seconds',
    },
  },
} as const satisfies Record<string, RecordSchema>
