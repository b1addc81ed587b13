// Looks at an amount before the wallet is asked: what there is, and what the venue lets leave.
import { fromRaw, type Rest, type shapes, toRaw } from 'openvenue'
import type { Address, Hex, SigningVenue } from 'openvenue/signing'
import { showDecimal } from '../text/decimal-text.ts'
import { type Request, tokenBalance, wordOfAddress } from '../wallet/chain-rpc.ts'
import type { MoneyCheck, MoneyForm } from './account-protocol.ts'
import { readMoney, tokenOf } from './money.ts'

/** Selector of outflowOf(address). */
const OUTFLOW_OF = '0x6e39cc9c'
/** Of its answer. */
const WORDS = 3
const WORD_BITS = 256
const SHARE_ALL = 10_000n
const BPS_PER_PERCENT = 100n
const TYPES = { spot: 'SPOT', perps: 'PERPETUAL' } as const

/** Who asks; `own` is with the account's key, undefined before it has one. */
export type CheckParts = Readonly<{
  venue: SigningVenue
  request: Request
  address: Address
  own: Rest | undefined
}>

type Limits = Readonly<{ inWallet: bigint; free: bigint | undefined; outflow: Outflow | undefined }>
type Outflow = Readonly<{ shareBps: bigint; small: bigint; room: bigint }>

/** Returns what is to be said of an amount. */
export async function checkMoney(parts: CheckParts, asked: MoneyForm): Promise<MoneyCheck> {
  const { symbol, decimals } = tokenOf(parts.venue, asked.symbol)
  const limits = await readLimits(parts, asked)
  const { inWallet, free, outflow } = limits
  const show = (raw: bigint) => `${showDecimal(fromRaw(raw, decimals))} ${symbol}`
  return {
    ...judge(() => readMoney(parts.venue, asked).amount, asked, { ...limits, show }),
    depositMax: showDecimal(fromRaw(inWallet, decimals)),
    withdrawMax: free === undefined ? '' : showDecimal(fromRaw(free, decimals)),
    limit: outflow === undefined ? '' : limitText(outflow, show),
  }
}

function judge(
  read: () => bigint,
  asked: MoneyForm,
  { inWallet, free, outflow, show }: Limits & Readonly<{ show: (raw: bigint) => string }>,
): Pick<MoneyCheck, 'deposit' | 'withdraw'> {
  if (asked.amount.trim() === '') return { deposit: '', withdraw: '' }
  try {
    const amount = read()
    const most = outflow === undefined ? undefined : positive(outflow.room) + outflow.small
    return {
      deposit: amount > inWallet ? `the wallet has ${show(inWallet)}` : '',
      withdraw: withdrawProblem(amount, { free, most, show }),
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { deposit: text, withdraw: text }
  }
}

type Ends = Readonly<{
  free: bigint | undefined
  most: bigint | undefined
  show: (raw: bigint) => string
}>

function withdrawProblem(amount: bigint, { free, most, show }: Ends): string {
  if (free !== undefined && amount > free) return `${show(free)} are free to leave`
  if (most !== undefined && amount > most)
    return `the venue lets ${show(most)} leave now: there is more room within an hour`
  return ''
}

const limitText = ({ shareBps, room }: Outflow, show: (raw: bigint) => string): string =>
  `At most ${shareBps / BPS_PER_PERCENT} % of what the venue holds of it leaves at once: ` +
  `${show(positive(room))} now. The limit is whole again within an hour.`

const positive = (raw: bigint): bigint => (raw > 0n ? raw : 0n)

async function readLimits(parts: CheckParts, asked: MoneyForm): Promise<Limits> {
  const { venue, request, address } = parts
  const token = tokenOf(venue, asked.symbol).address as Address
  const engine = venue.contracts[asked.engine]
  const [inWallet, free, outflow] = await Promise.all([
    tokenBalance(request, token, address),
    readFree(parts, asked),
    engine === undefined ? undefined : readOutflow(request, engine, token),
  ])
  return { inWallet, free, outflow }
}

async function readFree(
  { own, venue }: CheckParts,
  { engine, symbol }: MoneyForm,
): Promise<bigint | undefined> {
  if (own === undefined) return undefined
  const account: shapes.Account = await own.call('GET /account')
  const found = account.collaterals.find(
    (one) => one.collateral_asset === symbol && one.instrument_type === TYPES[engine],
  )
  const text = found === undefined ? '0' : found.withdrawable_balance
  return text === null ? undefined : toRaw(text, tokenOf(venue, symbol).decimals)
}

/** Undefined where the engine has no limit for the token, or does not take it. */
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
