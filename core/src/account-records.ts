// What accounts did and hold, declared: transfers, fills, cycles of positions, funding and holdings.
import { LOG_FIELDS, type RecordSchema } from './record-schema.ts'

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
      /** deposit, withdraw, send or receive. */
      type: 'text',
      engine: 'text',
      account: 'int',
      /** The other account of a send or receive, else null. */
      counterparty: 'int?',
      /** Where a withdrawal went, else null. */
      recipient: 'text?',
      token: 'text',
      /** Raw units of the token, above zero. */
      amount: 'big',
      ...LOG_FIELDS,
      seconds: 'int',
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
      account: 'int',
      market: 'text',
      /** trade, liquidation (by a forced order), absorption or deleverage. */
      kind: 'text',
      /** Of the order; null off the book, as all that is of it. */
      orderNumber: 'int?',
      /** Digest of the order when it was signed, else null. */
      ref: 'text?',
      timeInForce: 'text?',
      isBuy: 'bool',
      /** False off the book. */
      isMaker: 'bool',
      /** Null off the book. */
      tick: 'int?',
      /** Off the book: quote raw per lot, which may be below zero; else null. */
      unit: 'big?',
      lots: 'big',
      /** Quote raw; negative is a rebate. */
      fee: 'big',
      /**
       * Quote raw that left the account because the close was forced, negative when it came: at the
       * last fill of a forced order the fee of them all, at an absorption the collateral that moved.
       */
      liquidationFee: 'big',
      /** Lots of the order filled so far, this fill included, and its status then. */
      orderFilledLots: 'big?',
      orderStatus: 'text?',
      /** Perpetual: signed lots and quote of the position before the fill; spot: null. */
      heldLots: 'big?',
      heldQuote: 'big?',
      /** Perpetual: lots of it that closed the position, at least 0; spot: null. */
      closedLots: 'big?',
      /**
       * Quote raw. Perpetual: what the closed part made, 0 when it closed nothing. Spot: what a sale
       * made over the average cost, null for a purchase or while that cost is not known.
       */
      realised: 'big?',
      /** Mark of the market and index of its asset at the fill, as their records hold them. */
      mark: 'big?',
      index: 'big?',
      ...LOG_FIELDS,
      seconds: 'int',
    },
  },
  /**
   * The running cycle of a perpetual position, from flat on. A flip ends one and begins another.
   * All but lots are quote raw: `*Quote` what lots were bought or sold for, `funding` and `realised`
   * above zero when the account received, `fees` when it paid.
   */
  cycle: {
    table: 'open_cycles',
    key: ['market', 'account'],
    fields: {
      market: 'text',
      account: 'int',
      /** Id of the fill that began it. */
      openId: 'text',
      isLong: 'bool',
      maxLots: 'big',
      /** Largest |quote| of the position: what it cost at its largest. */
      maxQuote: 'big',
      openedLots: 'big',
      closedLots: 'big',
      openedQuote: 'big',
      closedQuote: 'big',
      realised: 'big',
      fees: 'big',
      /** The part of the fees that was paid because a close was forced. */
      liquidationFees: 'big',
      /** Funding since the cycle began, up to `fundingIndex`. */
      funding: 'big',
      /** The part of it that no fundingPayment has told yet. */
      unsettledFunding: 'big',
      fundingIndex: 'big',
      fillCount: 'int',
      openTxHash: 'text',
      openedSeconds: 'int',
      /** Of its newest fill. */
      updatedSeconds: 'int',
    },
  },
  /** A cycle that has ended. `id` is that of the fill that ended it; the log is that of the end. */
  closedCycle: {
    table: 'position_cycles',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      market: 'text',
      account: 'int',
      openId: 'text',
      isLong: 'bool',
      maxLots: 'big',
      maxQuote: 'big',
      openedLots: 'big',
      closedLots: 'big',
      openedQuote: 'big',
      closedQuote: 'big',
      realised: 'big',
      fees: 'big',
      liquidationFees: 'big',
      funding: 'big',
      fillCount: 'int',
      /** That bound at the end: the account's own, at most the market's. */
      leverage: 'int',
      /** trade, flip, liquidation or adl. */
      reason: 'text',
      openTxHash: 'text',
      openedSeconds: 'int',
      ...LOG_FIELDS,
      seconds: 'int',
    },
  },
  /**
   * A position or a part of it that was closed by force. `id` is `<block>-<logIndex>`. Its fills say
   * the same from each side; who got the fee of a close on the book is said here alone.
   */
  forcedClose: {
    table: 'forced_closes',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      /** liquidation (on the book), absorption or deleverage. */
      kind: 'text',
      market: 'text',
      account: 'int',
      /** The keeper who liquidated, if it has an account; insurance; or the winner. */
      counterparty: 'int?',
      /** Signed, as the position. */
      lots: 'big',
      /** Quote raw that the lots changed hands for; below zero only in a deleverage. */
      quote: 'big',
      /** Quote raw that left the account besides; below zero when insurance paid it in. */
      fee: 'big',
      /** The part of it that the counterparty got; insurance got the rest. */
      reward: 'big',
      ...LOG_FIELDS,
      seconds: 'int',
    },
  },
  /**
   * Funding of one position for one hour, told when the hour is settled, 0 included; what an hour in
   * which the cycle ends has brought is told with its end, unless it is 0. All rows of a cycle add
   * up to its funding, those of all accounts of a market to zero each hour.
   * `id` is `<block>-<logIndex>-<account>`.
   */
  fundingPayment: {
    table: 'funding_payments',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      account: 'int',
      market: 'text',
      /** Signed lots of the position that paid: at the settlement, or before the end. */
      lots: 'big',
      /** At which the hour accrued, 18 decimals, and its rate per hour. */
      mark: 'big',
      rate: 'big',
      /** Quote raw; above zero when the account received. */
      amount: 'big',
      ...LOG_FIELDS,
      seconds: 'int',
    },
  },
  /**
   * What an account bought in a spot market and still holds, at its average cost. Purchases add to
   * it, sales take from it first, at the average cost cut towards zero. It ends when nothing is left
   * of it or the account holds none of the token. Tokens that came or went otherwise are not in it:
   * the cost of a balance (free and locked) is known only while `amount` equals it.
   */
  holding: {
    table: 'holdings',
    key: ['market', 'account'],
    fields: {
      market: 'text',
      account: 'int',
      /** Base raw. */
      amount: 'big',
      /** Quote raw, what `amount` cost. */
      cost: 'big',
      /** Quote raw, made over the average cost by sales since the holding began. */
      realised: 'big',
      openedSeconds: 'int',
      updatedSeconds: 'int',
    },
  },
} as const satisfies Record<string, RecordSchema>
