// Checks an amount against balances and the venue's limits before the wallet is asked.
import { fromRaw, type Rest, type shapes, toRaw } from 'openvenue'
import {
  type Address,
  type DepositRoom,
  type Hex,
  readDepositRoom,
  type SigningVenue,
} from 'openvenue/signing'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { MoneyCheck, MoneyForm } from '../../account/account-protocol.ts'
import { type Request, tokenBalance, wordOfAddress } from '../../wallet/worker/chain-rpc.ts'
import * as text from '../text.ts'
import { readMoney, tokenOf } from './money.ts'

/** Selector of outflowOf(address). */
const OUTFLOW_OF = '0x6e39cc9c'
/** Number of words in its result. */
const WORDS = 3
const WORD_BITS = 256
const SHARE_ALL = 10_000n
const BPS_PER_PERCENT = 100n
const TYPES = { spot: 'SPOT', perps: 'PERPETUAL' } as const

/** Context of a check. `own` uses the account's key; undefined before it has one. */
type CheckContext = Readonly<{
  venue: SigningVenue
  request: Request
  address: Address
  accountRest: Rest | undefined
}>

type TransferLimits = Readonly<{
  inWallet: bigint
  free: bigint | undefined
  outflow: Outflow | undefined
  room: DepositRoom | undefined
}>
type Outflow = Readonly<{ shareBps: bigint; small: bigint; room: bigint }>

/** Returns the problems and limits of an amount. */
export async function checkMoney(parts: CheckContext, form: MoneyForm): Promise<MoneyCheck> {
  const { decimals } = tokenOf(parts.venue, form.symbol)
  const show = showOf(parts.venue, form.symbol)
  const limits = await readLimits(parts, form)
  const { inWallet, free, outflow, room } = limits
  const amountText = (raw: bigint | undefined) =>
    raw === undefined ? '' : showDecimal(fromRaw(raw, decimals))
  const problems = findProblems(() => readMoney(parts.venue, form).amount, form, {
    ...limits,
    show,
  })
  const sentences = [
    ...(room === undefined || problems.deposit !== ''
      ? []
      : [text.depositCap(...capOf(room, show))]),
    ...(outflow === undefined ? [] : [limitText(outflow, show)]),
  ]
  return {
    ...problems,
    inWallet: amountText(inWallet),
    depositMax: amountText(room !== undefined && room.left < inWallet ? room.left : inWallet),
    depositLeft: amountText(room?.left),
    withdrawMax: amountText(free),
    limit: sentences.join(' '),
  }
}

/** Throws if a deposit cap is exceeded. */
export async function requireDepositRoom(
  { venue, request, address }: Omit<CheckContext, 'accountRest'>,
  form: MoneyForm,
): Promise<void> {
  const { engine, token, amount } = readMoney(venue, form)
  const room = await readRoom({ venue, request, address }, { engine, token })
  const problem = roomProblem(amount, room, showOf(venue, form.symbol))
  if (problem !== '') throw new Error(problem)
}

function findProblems(
  read: () => bigint,
  form: MoneyForm,
  { inWallet, free, outflow, room, show }: TransferLimits & Readonly<{ show: FormatAmount }>,
): Pick<MoneyCheck, 'deposit' | 'withdraw'> {
  if (form.amount.trim() === '') return { deposit: '', withdraw: '' }
  try {
    const amount = read()
    const most = outflow === undefined ? undefined : positive(outflow.room) + outflow.small
    return {
      deposit:
        roomProblem(amount, room, show) ||
        (amount > inWallet ? text.walletHas(show(inWallet)) : ''),
      withdraw: withdrawProblem(amount, { free, most, show }),
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return { deposit: problem, withdraw: problem }
  }
}

type FormatAmount = (raw: bigint) => string

function showOf(venue: SigningVenue, name: string): FormatAmount {
  const { symbol, decimals } = tokenOf(venue, name)
  return (raw) => `${showDecimal(fromRaw(raw, decimals))} ${symbol}`
}

type Ends = Readonly<{ free: bigint | undefined; most: bigint | undefined; show: FormatAmount }>

/** Returns the cap and the largest amount that it allows; empty if the amount is within it. */
function roomProblem(amount: bigint, room: DepositRoom | undefined, show: FormatAmount): string {
  if (room === undefined || amount <= room.left) return ''
  const { cap, left } = room
  if (cap === 0n) return text.depositsClosed
  return text.depositCapExceeded(...capOf(room, show), left === 0n ? '' : show(left))
}

/** Returns the cap; empty if it is 0: the token is closed, or was never listed in the engine. */
const capOf = (
  { rule, cap }: DepositRoom,
  show: FormatAmount,
): [cap: string, isPerAccount: boolean] => [cap === 0n ? '' : show(cap), rule === 'account']

function withdrawProblem(amount: bigint, { free, most, show }: Ends): string {
  if (free !== undefined && amount > free) return text.withdrawableAmount(show(free))
  return most !== undefined && amount > most ? text.withdrawalLimit(show(most)) : ''
}

const limitText = ({ shareBps, room }: Outflow, show: FormatAmount): string =>
  text.outflowLimit(`${shareBps / BPS_PER_PERCENT}`, show(positive(room)))

const positive = (raw: bigint): bigint => (raw > 0n ? raw : 0n)

async function readLimits(parts: CheckContext, form: MoneyForm): Promise<TransferLimits> {
  const { venue, request, address } = parts
  const token = tokenOf(venue, form.symbol).address as Address
  const engine = venue.contracts[form.engine]
  const [inWallet, free, outflow, room] = await Promise.all([
    tokenBalance(request, token, address),
    readFree(parts, form),
    engine === undefined ? undefined : readOutflow(request, engine, token),
    engine === undefined ? undefined : readRoom(parts, { engine, token }),
  ])
  return { inWallet, free, outflow, room }
}

const readRoom = (
  { venue, request, address }: Omit<CheckContext, 'accountRest'>,
  where: Readonly<{ engine: Address; token: Address }>,
): Promise<DepositRoom | undefined> =>
  readDepositRoom({ request: ({ method, params }) => request(method, params ?? []) }, venue, {
    ...where,
    wallet: address,
  })

async function readFree(
  { accountRest, venue }: CheckContext,
  { engine, symbol }: MoneyForm,
): Promise<bigint | undefined> {
  if (accountRest === undefined) return undefined
  const account: shapes.Account = await accountRest.call('GET /account')
  const collateral = account.collaterals.find(
    ({ collateral_asset: asset, instrument_type: type }) =>
      asset === symbol && type === TYPES[engine],
  )
  const balance = collateral === undefined ? '0' : collateral.withdrawable_balance
  return balance === null ? undefined : toRaw(balance, tokenOf(venue, symbol).decimals)
}

/** Returns undefined if the engine has no limit for the token, or does not accept it. */
async function readOutflow(
  request: Request,
  engine: Address,
  token: Address,
): Promise<Outflow | undefined> {
  const data = `${OUTFLOW_OF}${wordOfAddress(token)}` as Hex
  const answer = await request('eth_call', [{ to: engine, data }, 'latest']).catch(() => '0x')
  const words = `${answer}`.slice(2).match(/.{64}/g)
  if (words?.length !== WORDS) return undefined
  const [shareBps = 0n, small = 0n, room = 0n] = words.map((word) => BigInt(`0x${word}`))
  if (shareBps === 0n || shareBps === SHARE_ALL) return undefined
  return { shareBps, small, room: BigInt.asIntN(WORD_BITS, room) }
}
