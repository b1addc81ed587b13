// Declares the records of accounts: transfers, fills, cycles of positions, funding and
// holdings.
import { TIMES_IN_FORCE } from './events.ts'
import { LOG_FIELDS, oneOf, oneOfOrNull, type RecordSchema } from './record-schema.ts'

export const ORDER_STATUSES = ['open', 'partial', 'filled', 'cancelled'] as const

export const ACCOUNT_RECORDS = {
  /**
   * A deposit, withdrawal or transfer as one account sees it; a transfer between accounts yields
   * two records. `id` is `<block>-<logIndex>`, for a transfer with suffix `-s` (send) or `-r`
   * (receive).
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
      /** Account on the other side of a send or receive, else null. */
      counterparty: 'account?',
      /** Recipient of a withdrawal, else null. */
      recipient: 'address?',
      token: 'address',
      /** Raw units of the token, above zero. */
      amount: 'raw',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * One account's side of a trade, or of a position transferred off the book. `id` is the id of the
   * trade with `-m` (maker) or `-t` (taker), or the id of the forced close with `-f` (from) or `-g`
   * (to). The position before the fill and the lots it closed are stored, so that readers need not
   * replay history.
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
      /** Null off the book, as are all fields of the order. */
      orderNumber: 'orderNumber?',
      /** Digest of a signed order, else null. */
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
       * Quote raw debited because the close was forced; negative when credited. On the book: the
       * fee for the whole forced order, on its last fill. Absorption: the collateral transferred.
       */
      liquidationFee: 'quote',
      /** Filled lots of the order including this fill, and its status after it. */
      orderFilledLots: 'lots?',
      orderStatus: oneOfOrNull(...ORDER_STATUSES),
      /** Perpetual: signed lots and quote of the position before the fill; spot: null. */
      heldLots: 'lots?',
      heldQuote: 'quote?',
      /** Perpetual: lots of the fill that closed the position, at least 0; spot: null. */
      closedLots: 'lots?',
      /**
       * Quote raw. Perpetual: the profit or loss of the closed part, 0 if none was closed. Spot:
       * the profit of a sale over the average cost; null for a purchase or if that cost is unknown.
       */
      realised: 'quote?',
      /** Mark of the market and index of its asset at the time of the fill. */
      mark: 'price?',
      index: 'price?',
      ...LOG_FIELDS,
      seconds: 'seconds',
      /** From the order, as the venue accepted it. */
      isMarket: 'bool',
      clientOrderId: 'text?',
    },
  },
  /**
   * The running cycle of a perpetual position, from flat to flat. A flip ends one cycle and begins
   * the next. All fields except lots are quote raw: `*Quote` is the value bought or sold, `funding`
   * and `realised` are positive when the account received, `fees` when it paid.
   */
  cycle: {
    table: 'open_cycles',
    key: ['market', 'account'],
    fields: {
      market: 'market',
      account: 'account',
      /** Id of the opening fill. */
      openId: 'text',
      isLong: 'bool',
      maxLots: 'lots',
      /** Largest |quote| of the position, i.e. its cost at its largest. */
      maxQuote: 'quote',
      openedLots: 'lots',
      closedLots: 'lots',
      openedQuote: 'quote',
      closedQuote: 'quote',
      realised: 'quote',
      fees: 'quote',
      /** The part of the fees charged for forced closes. */
      liquidationFees: 'quote',
      /** Funding since the cycle began, up to `fundingIndex`. */
      funding: 'quote',
      /** The part not yet recorded in a fundingPayment. */
      unsettledFunding: 'quote',
      fundingIndex: 'perLot',
      fillCount: 'int',
      openTxHash: 'hash',
      openedSeconds: 'seconds',
      /** Time of its newest fill. */
      updatedSeconds: 'seconds',
    },
  },
  /** A completed cycle. `id` is the id of the closing fill; the log is that of the close. */
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
      /** Leverage in force at the close: the account's own, at most the market's. */
      leverage: 'int',
      reason: oneOf('trade', 'flip', 'liquidation', 'adl'),
      openTxHash: 'hash',
      openedSeconds: 'seconds',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * A position, or part of one, that was closed by force. `id` is `<block>-<logIndex>`. Its fills
   * record the same event from each side; only this record names the recipient of the fee of a
   * close on the book.
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
      /** The liquidating keeper, if it has an account; insurance; or the winner. */
      counterparty: 'account?',
      /** Signed like the position. */
      lots: 'lots',
      /** Quote raw paid for the lots; negative only in a deleverage. */
      quote: 'quote',
      /** Quote raw charged in addition; negative when insurance paid it in. */
      fee: 'quote',
      /** The part of the fee paid to the counterparty; insurance received the rest. */
      reward: 'quote',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * Funding of one position for one hour, written when the hour is settled, even if 0. When a cycle
   * ends within an hour, the funding up to its end is written with the end, unless it is 0. The
   * rows of a cycle sum to its funding; the rows of all accounts of a market sum to zero each hour.
   * `id` is `<block>-<logIndex>-<account>`.
   */
  fundingPayment: {
    table: 'funding_payments',
    key: ['id'],
    life: 'insert',
    fields: {
      id: 'text',
      account: 'account',
      market: 'market',
      /** Signed lots of the position at the settlement, or before the cycle ended. */
      lots: 'lots',
      /** Mark at which the hour accrued, 18 decimals, and its hourly rate. */
      mark: 'price',
      rate: 'rate',
      /** Quote raw; positive when the account received. */
      amount: 'quote',
      ...LOG_FIELDS,
      seconds: 'seconds',
    },
  },
  /**
   * Base that an account bought in a spot market and still holds, at its average cost. Purchases
   * add to it; sales reduce it first, at the average cost truncated towards zero. It ends when its
   * amount reaches zero or the account holds none of the token. Tokens from other sources are not
   * included: the cost of a balance (free and locked) is known only while `amount` equals it.
   */
  holding: {
    table: 'holdings',
    key: ['market', 'account'],
    fields: {
      market: 'market',
      account: 'account',
      /** Base raw. */
      amount: 'base',
      /** Cost of `amount`, quote raw. */
      cost: 'quote',
      /** Quote raw, profit of sales over the average cost since the holding began. */
      realised: 'quote',
      openedSeconds: 'seconds',
      updatedSeconds: 'seconds',
    },
  },
} as const satisfies Record<string, RecordSchema>
