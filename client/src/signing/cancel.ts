// Signs cancels, cancel-alls and the burning of salts.
import { ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { CancelRequest } from '../../generated/shapes.ts'
import {
  checkInput,
  checkValue,
  isText,
  isUnixSeconds,
  listOf,
  type MemberChecks,
  oneOf,
} from '../input.ts'
import { checkParties, isHash, isWord } from './checks.ts'
import { isChecked } from './checksum.ts'
import { nextSalt } from './salts.ts'
import {
  type Address,
  type Hex,
  type Signer,
  signWith,
  type TypedData,
  typedData,
} from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

/** Default lifetime of a signed cancel. */
const DEADLINE_SECONDS = 60 * 60
const SALT_BITS = 8n
const SALT_MASK = 255n

type CancelLifetime = Readonly<{
  /** Last second in which it may be sent, Unix seconds; in an hour by default. */
  deadlineSeconds?: number
  /** Wallet or sub-account, if the signer is its key. */
  account?: Address
}>

/** Orders of a market to cancel, by `chain_order_id`. */
export type NewCancel = CancelLifetime & Readonly<{ market: string; orders: readonly string[] }>
/** A cancel of all orders of a market that were placed before its first use. */
export type NewCancelAll = CancelLifetime & Readonly<{ market: string; salt?: bigint }>
/** Salts to burn, all of one word of 256: their orders can never be placed again. */
export type NewBurn = CancelLifetime &
  Readonly<{ engine: 'spot' | 'perps'; salts: readonly bigint[] }>

/** An entry of `cancel_alls` of POST /account/cancel-after. */
export type SignedCancelAll = Readonly<{
  instrument: string
  salt: string
  deadline: string
  signature: Hex
}>
/** Arguments of `burnSigned` of an engine. */
export type SignedBurn = Readonly<{
  engine: Address
  message: Readonly<{ account: Address; word: bigint; mask: bigint; deadline: bigint }>
  signature: Hex
}>

const LIFE: MemberChecks<CancelLifetime> = {
  deadlineSeconds: [isUnixSeconds],
  account: [isChecked],
}
const CANCEL: MemberChecks<NewCancel> = { ...LIFE, market: isText, orders: listOf(isHash, 1) }
const CANCEL_ALL: MemberChecks<NewCancelAll> = { ...LIFE, market: isText, salt: [isWord] }
const BURN: MemberChecks<NewBurn> = {
  ...LIFE,
  engine: oneOf('spot', 'perps'),
  salts: listOf(isWord, 1),
}
/** Member names of the API. */
const NAMES = { instrument: 'market', instrument_name: 'market', order_ids: 'orders' }

/** Returns the typed data for cancelling orders of a market. */
export function cancelData(venue: SigningVenue, account: Address, cancel: NewCancel): TypedData {
  checkParties(venue, {})
  checkValue('account', account, isChecked)
  checkInput(cancel, CANCEL, NAMES)
  const { engine, number } = venue.market(cancel.market)
  const message = { account, market: number, orders: cancel.orders as readonly Hex[] }
  return typedData(venue.domainOf(engine), ['Cancel', ENGINE_MESSAGES.Cancel], {
    ...message,
    deadline: deadlineOf(cancel),
  })
}

/**
 * Signs a cancel for DELETE /orders/{order_id}, which is only needed if the account has not allowed
 * the venue to cancel.
 */
export async function signCancel(
  venue: SigningVenue,
  signer: Signer,
  cancel: NewCancel,
): Promise<Required<CancelRequest>> {
  checkParties(venue, { signer })
  const data = cancelData(venue, cancel?.account ?? signer.address, cancel)
  const { deadline = 0n } = data.message
  return { deadline: deadline.toString(), signature: await signWith(signer, data) }
}

/**
 * Signs a cancel of all orders of a market in advance, for POST /account/cancel-after. Its holder
 * can use it until its deadline; burning its salt disarms it.
 */
export async function signCancelAll(
  venue: SigningVenue,
  signer: Signer,
  cancel: NewCancelAll,
): Promise<SignedCancelAll> {
  checkParties(venue, { signer })
  checkInput(cancel, CANCEL_ALL, NAMES)
  const { engine, number } = venue.market(cancel.market)
  const account = cancel.account ?? signer.address
  const [salt, deadline] = [cancel.salt ?? nextSalt(), deadlineOf(cancel)]
  const message = { account, market: number, salt, deadline }
  const data = typedData(venue.domainOf(engine), ['CancelAll', ENGINE_MESSAGES.CancelAll], message)
  return {
    instrument: cancel.market,
    salt: salt.toString(),
    deadline: deadline.toString(),
    signature: await signWith(signer, data),
  }
}

/** Signs the burning of salts. Throws a RangeError if they belong to more than one word. */
export async function signBurn(
  venue: SigningVenue,
  signer: Signer,
  burn: NewBurn,
): Promise<SignedBurn> {
  checkParties(venue, { signer })
  checkInput(burn, BURN)
  const engine = venue.contracts[burn.engine]
  if (engine === undefined)
    throw new RangeError(`engine ${burn.engine}: not deployed at this venue`)
  const [word, ...others] = new Set(burn.salts.map((salt) => salt >> SALT_BITS))
  if (word === undefined || others.length > 0)
    throw new RangeError('salts: got more than one word, expected the same salt >> 8 for all')
  const mask = burn.salts.reduce((bits, salt) => bits | (1n << (salt & SALT_MASK)), 0n)
  const account = burn.account ?? signer.address
  const message = { account, word, mask, deadline: deadlineOf(burn) }
  const data = typedData(venue.domainOf(engine), ['Burn', ENGINE_MESSAGES.Burn], message)
  return { engine, message, signature: await signWith(signer, data) }
}

const deadlineOf = ({ deadlineSeconds }: CancelLifetime): bigint =>
  BigInt(deadlineSeconds ?? Math.floor(Date.now() / 1000) + DEADLINE_SECONDS)
