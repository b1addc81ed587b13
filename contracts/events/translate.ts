// Translates decoded logs to the venue's events: market ids for engine and number, text for
// bytes32, names for enum numbers, null for a zero ref. Argument types come from the ABIs, so a
// changed event does not compile until it is translated.
import { invariant } from '@openvenue/core/assert'
import {
  CANCEL_REASONS,
  type EngineType,
  TIMES_IN_FORCE,
  type VenueEvent,
} from '@openvenue/core/events'
import { marketId } from '@openvenue/core/ids'
import type { Abi, ContractEventName, DecodeEventLogReturnType } from 'viem'
import type { accountsAbi } from '../abi/accounts.ts'
import type { perpsAbi } from '../abi/perps.ts'
import type { pushOracleAbi } from '../abi/push-oracle.ts'
import type { spotAbi } from '../abi/spot.ts'
import type { DecodedLog } from './decode.ts'

type Args<A extends Abi, N extends ContractEventName<A>> = DecodeEventLogReturnType<A, N>['args']
type Spot<N extends ContractEventName<typeof spotAbi>> = Args<typeof spotAbi, N>
type Perps<N extends ContractEventName<typeof perpsAbi>> = Args<typeof perpsAbi, N>
type Accounts<N extends ContractEventName<typeof accountsAbi>> = Args<typeof accountsAbi, N>
type Oracle<N extends ContractEventName<typeof pushOracleAbi>> = Args<typeof pushOracleAbi, N>

/** The kinds of contracts whose logs define the venue. */
export type ContractKind = 'accounts' | 'spot' | 'perps' | 'oracle'

/** Returns the event of a log; `undefined` for an event that the venue does not record. */
type Translate = (log: DecodedLog) => VenueEvent | undefined

/** Returns the translator of the contract of `kind` at `address` (lower-case). */
export function makeTranslator(kind: ContractKind, address: string): Translate {
  const engineType = kind === 'spot' ? 'SPOT' : 'PERPETUAL'
  const engine: Engine = { address, engineType, marketId: marketIds(address) }
  const table = TABLES[kind]
  return ({ name, args }) => table[name]?.(args as never, engine)
}

/** Returns the names of the tracked events of a contract of `kind`. */
export const eventNames = (kind: ContractKind): readonly string[] => Object.keys(TABLES[kind])

type Engine = Readonly<{
  address: string
  engineType: EngineType
  marketId: (number: number) => string
}>
type Table = Readonly<Record<string, (args: never, engine: Engine) => VenueEvent>>

function marketIds(engine: string) {
  // Bounded by the number of listed markets.
  const ids = new Map<number, string>()
  return (number: number) => {
    let id = ids.get(number)
    if (id === undefined) {
      id = marketId(engine, number)
      ids.set(number, id)
    }
    return id
  }
}

const ZERO_WORD = `0x${'0'.repeat(64)}`
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/**
 * Decodes a bytes32 with left-aligned ASCII, padded with zeros. A token may have zeros inside its
 * name, too: they are removed, since PostgreSQL rejects text with zeros.
 */
function decodeText(word: string): string {
  let text = ''
  for (let at = 2; at < word.length; at += 2) {
    const code = Number.parseInt(word.slice(at, at + 2), 16)
    if (code !== 0) text += String.fromCharCode(code)
  }
  invariant(/^[\x20-\x7e]*$/.test(text), 'a bytes32 text is printable ASCII', { word })
  return text
}

function enumName<T>(names: readonly T[], number: number): T {
  const name = names[number]
  invariant(name !== undefined, 'an enum number has a name', { number, names })
  return name
}

const accounts = {
  AccountOpened: ({ account, wallet }: Accounts<'AccountOpened'>) => ({
    type: 'AccountOpened',
    account,
    wallet,
  }),
  SubAccountOpened: ({ account, owner, index }: Accounts<'SubAccountOpened'>) => ({
    type: 'SubAccountOpened',
    account,
    owner,
    index,
  }),
  KeyRegistered: ({ account, key, expiry }: Accounts<'KeyRegistered'>) => ({
    type: 'KeyRegistered',
    account,
    key,
    expiry,
  }),
  KeyRevoked: ({ account, key }: Accounts<'KeyRevoked'>) => ({ type: 'KeyRevoked', account, key }),
  CancellerAllowed: ({ account, canceller, expiry, key }: Accounts<'CancellerAllowed'>) => ({
    type: 'CancellerAllowed',
    account,
    canceller,
    expiry,
    key: key === ZERO_ADDRESS ? null : key,
  }),
  CancellerRevoked: ({ account, canceller }: Accounts<'CancellerRevoked'>) => ({
    type: 'CancellerRevoked',
    account,
    canceller,
  }),
} as const satisfies Table

const oracle = {
  Indexed: ({ asset, price, time }: Oracle<'Indexed'>) => ({
    type: 'Indexed',
    asset: decodeText(asset),
    price,
    time,
  }),
} as const satisfies Table

/** The contract's value for no cap. */
const CAP_NONE = 2n ** 96n - 1n

const capOrNull = (cap: bigint) => (cap === CAP_NONE ? null : cap)

const ledger = {
  TokenListed: ({ token, symbol, name, decimals }: Spot<'TokenListed'>) => ({
    type: 'TokenListed',
    token,
    symbol: decodeText(symbol),
    name: decodeText(name),
    decimals,
  }),
  Deposited: ({ account, token, amount }: Spot<'Deposited'>, { address, engineType }: Engine) => ({
    type: 'Deposited',
    engine: address,
    engineType,
    account,
    token,
    amount,
  }),
  DepositCapSet: (
    { token, total, perAccount }: Spot<'DepositCapSet'>,
    { address, engineType }: Engine,
  ) => ({
    type: 'DepositCapSet',
    engine: address,
    engineType,
    token,
    total: capOrNull(total),
    perAccount: capOrNull(perAccount),
  }),
  Withdrawn: (
    { account, token, amount, to }: Spot<'Withdrawn'>,
    { address, engineType }: Engine,
  ) => ({
    type: 'Withdrawn',
    engine: address,
    engineType,
    account,
    token,
    amount,
    to,
  }),
  Transferred: (
    { from, to, token, amount }: Spot<'Transferred'>,
    { address, engineType }: Engine,
  ) => ({
    type: 'Transferred',
    engine: address,
    engineType,
    from,
    to,
    token,
    amount,
  }),
} as const satisfies Table

const book = {
  Placed: (args: Spot<'Placed'>, { marketId }: Engine) => ({
    type: 'Placed',
    market: marketId(args.market),
    account: args.account,
    order: args.order,
    buy: args.buy,
    tick: args.tick,
    lots: args.lots,
    timeInForce: enumName(TIMES_IN_FORCE, args.timeInForce),
    reduceOnly: args.reduceOnly,
    goodTil: args.goodTil,
    ref: args.ref === ZERO_WORD ? null : args.ref,
  }),
  Cancelled: (args: Spot<'Cancelled'>, { marketId }: Engine) => ({
    type: 'Cancelled',
    market: marketId(args.market),
    account: args.account,
    order: args.order,
    lots: args.lots,
    reason: enumName(CANCEL_REASONS, args.reason),
  }),
  Reduced: ({ market, account, order, lots }: Spot<'Reduced'>, { marketId }: Engine) => ({
    type: 'Reduced',
    market: marketId(market),
    account,
    order,
    lots,
  }),
  Halted: ({ market, halted }: Spot<'Halted'>, { marketId }: Engine) => ({
    type: 'Halted',
    market: marketId(market),
    halted,
  }),
} as const satisfies Table

const spot = {
  ...ledger,
  ...book,
  Listed: (args: Spot<'Listed'>, { address, marketId }: Engine) => ({
    type: 'SpotListed',
    engine: address,
    market: marketId(args.market),
    number: args.market,
    name: decodeText(args.name),
    base: args.base,
    quote: args.quote,
    priceStep: args.priceStep,
    amountStep: args.amountStep,
    minOrderValue: args.minOrderValue,
    maxOrderValue: args.maxOrderValue,
  }),
  Changed: ({ market, minOrderValue, maxOrderValue }: Spot<'Changed'>, { marketId }: Engine) => ({
    type: 'SpotChanged',
    market: marketId(market),
    minOrderValue,
    maxOrderValue,
  }),
  Filled: (args: Spot<'Filled'>, { marketId }: Engine) => ({
    type: 'Filled',
    market: marketId(args.market),
    maker: args.maker,
    makerOrder: args.makerOrder,
    taker: args.taker,
    takerOrder: args.takerOrder,
    tick: args.tick,
    lots: args.lots,
    makerFee: 0n,
    takerFee: 0n,
  }),
} as const satisfies Table

const perps = {
  ...ledger,
  ...book,
  Listed: (args: Perps<'Listed'>, { address, marketId }: Engine) => ({
    type: 'PerpListed',
    engine: address,
    market: marketId(args.market),
    number: args.market,
    name: decodeText(args.name),
    asset: decodeText(args.asset),
    collateral: args.collateral,
    priceStep: args.priceStep,
    amountStep: args.amountStep,
    ...args.parameters,
  }),
  Changed: ({ market, parameters }: Perps<'Changed'>, { marketId }: Engine) => ({
    type: 'PerpChanged',
    market: marketId(market),
    ...parameters,
  }),
  Filled: (args: Perps<'Filled'>, { marketId }: Engine) => ({
    type: 'Filled',
    market: marketId(args.market),
    maker: args.maker,
    makerOrder: args.makerOrder,
    taker: args.taker,
    takerOrder: args.takerOrder,
    tick: args.tick,
    lots: args.lots,
    makerFee: args.makerFee,
    takerFee: args.takerFee,
  }),
  LeverageSet: ({ market, account, leverage }: Perps<'LeverageSet'>, { marketId }: Engine) => ({
    type: 'LeverageSet',
    market: marketId(market),
    account,
    leverage,
  }),
  Marked: (args: Perps<'Marked'>, { marketId }: Engine) => ({
    type: 'Marked',
    market: marketId(args.market),
    mark: args.mark,
    basis: args.basis,
    premium: args.premium,
    seconds: Number(args.seconds_),
  }),
  FundingSettled: (args: Perps<'FundingSettled'>, { marketId }: Engine) => ({
    ...args,
    type: 'FundingSettled',
    market: marketId(args.market),
  }),
  Ended: (args: Perps<'Ended'>, { marketId }: Engine) => ({
    ...args,
    type: 'Ended',
    market: marketId(args.market),
  }),
  LossFlagged: ({ market, account }: Perps<'LossFlagged'>, { marketId }: Engine) => ({
    type: 'LossFlagged',
    market: marketId(market),
    account,
  }),
  LossCleared: ({ market, account }: Perps<'LossCleared'>, { marketId }: Engine) => ({
    type: 'LossCleared',
    market: marketId(market),
    account,
  }),
  Liquidating: ({ market, account, order }: Perps<'Liquidating'>, { marketId }: Engine) => ({
    type: 'Liquidating',
    market: marketId(market),
    account,
    order,
  }),
  Liquidated: (args: Perps<'Liquidated'>, { marketId }: Engine) => ({
    ...args,
    type: 'Liquidated',
    market: marketId(args.market),
  }),
  Absorbed: (args: Perps<'Absorbed'>, { marketId }: Engine) => ({
    ...args,
    type: 'Absorbed',
    market: marketId(args.market),
  }),
  Deleveraged: (args: Perps<'Deleveraged'>, { marketId }: Engine) => ({
    ...args,
    type: 'Deleveraged',
    market: marketId(args.market),
  }),
} as const satisfies Table

const TABLES: Readonly<Record<ContractKind, Table>> = { accounts, spot, perps, oracle }

/** Events that the venue does not record, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  Rejected: 'a rejected item of a batch changes nothing: its sender reads the receipt',
  SaltsBurnt: 'the contract reports which orders can still be placed; the book is unaffected',
  OwnershipOffered: 'roles move no money; the contract returns their holders',
  OwnershipAccepted: 'as OwnershipOffered',
  GuardianChanged: 'as OwnershipOffered',
  Nominated: 'no position has changed hands; Deleveraged reports the close',
  EndAnnounced: 'nothing has changed; Ended reports the end',
  EndRevoked: 'as EndAnnounced',
  PusherChanged: 'as OwnershipOffered',
  ImpactValueSet: 'Marked reports its effect',
  CoverSet: 'Absorbed and Deleveraged report the positions of insurance',
  IndexAgeMaxSet: 'a rejection because of a stale index leaves no trace',
  JumpHeld: 'a held price is not accepted yet; Indexed reports its acceptance',
  Refused: 'as JumpHeld',
  SourceChanged: 'Indexed reports the prices, whatever their source',
  Paused: 'as IndexAgeMaxSet',
  OutflowLimitSet: 'a rejected withdrawal leaves no trace',
}
