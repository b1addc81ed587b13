// Answers what asks about an order and changes nothing: what it would do, and the call that places
// it. Interface 4.6.
import type { AccountHistory } from '@openvenue/store/account-history'
import type { OrderBuilt, OrderPreview } from '@openvenue/wire/order-entry'
import type { Trading } from '@openvenue/wire/trading'
import type { OwnedReads } from '../account/owned-reads.ts'
import { type Owner, ownerOf } from '../account/owner.ts'
import type { Wallets } from '../account/wallets.ts'
import { type FieldError, historyUnavailable, Refusal } from '../http/refusals.ts'
import { fieldRefusal } from '../http/validation.ts'
import { type AdmissionParts, problemsInMemory } from './admission.ts'
import type { SimulateBlock } from './block-simulation.ts'
import { encodeBuild, encodePreview } from './order-answers.ts'
import { type ParsedOrder, parseOrder } from './order-body.ts'
import { checkOrder, isHeldBack } from './order-checks.ts'
import { replacedOrder } from './order-edits.ts'
import { type Preview, previewOrder } from './order-preview.ts'
import { orderRefusal } from './order-problem.ts'
import { stepProblems } from './order-rules.ts'
import { closedProblem, closedRefusal } from './relay-room.ts'
import { recoverSigner } from './signer.ts'

/** What a preview counts for: a node of the chain runs a block for it. */
export const PREVIEW_WEIGHT = 5

export type QuestionParts = AdmissionParts &
  Readonly<{
    wallets: Wallets
    owned: OwnedReads
    history: Pick<AccountHistory, 'ownerOf'>
    simulateBlock: SimulateBlock
    settings: AdmissionParts['settings'] & Readonly<{ trading: Trading }>
  }>

export type Question = Readonly<{
  /** Wallet of the caller, lower case. */
  account: string
  body: unknown
  /** Members beside those of an order. */
  beside?: readonly string[]
}>

/** Refuses an order of somebody else, and one that is in no whole steps. */
function read(parts: QuestionParts, { account, body, beside = [] }: Question): ParsedOrder {
  const parsed = parseOrder(body, { ...parts, isSignatureOptional: true, beside })
  if (parsed.order.account !== account) {
    const code = 'FORBIDDEN_ACCOUNT'
    const message = `maker is the account of the API key: ${account}`
    throw new Refusal(code, { details: [{ field: 'maker', code, message, nearest: account }] })
  }
  const off = stepProblems(parsed)
  if (off.length > 0) throw orderRefusal(off)
  return parsed
}

/** Returns what an order would do at the newest block, and all that refuses it. */
export async function answerPreview(
  parts: QuestionParts,
  question: Question,
): Promise<OrderPreview> {
  const parsed = read(parts, question)
  const owner = await ownerOf(parts.wallets, question.account)
  const replaced = await parts.owned.look(owner, () => replacedOrder(parts.model, parsed))
  const { account = 0 } = owner
  const [preview, [known = []], verdict] = await Promise.all([
    previewOrder(parts.simulateBlock, parsed, { account, replaced }),
    problemsInMemory(parts, owner, [parsed]),
    signedVerdict(parts, parsed),
  ])
  const { digest, signature } = parsed
  const signer = signature === undefined ? undefined : recoverSigner(digest, signature)
  const closed = closedProblem(parts.settings.trading)
  const refusals = refusalsOf(preview, known, verdict)
  const all = closed === undefined ? refusals : [closed, ...refusals]
  return encodePreview(parsed, preview, { signer, refusals: all })
}

/** What the contract says of the order as it is signed: of its salt, among others. */
async function signedVerdict(
  { simulate }: QuestionParts,
  parsed: ParsedOrder,
): Promise<FieldError | undefined> {
  if (parsed.signature === undefined || isHeldBack(parsed)) return undefined
  return (await simulate([parsed]))[0]
}

/** Rules that the contract does not hold a wallet's own order against. */
const BESIDE_THE_CONTRACT: ReadonlySet<string> = new Set([
  'ORDER_BAD_SIGNATURE',
  'ORDER_BAD_SIGNING_KEY',
  'ORDER_TIMED_OUT',
  'ORDER_DOES_NOT_EXIST',
  'EDIT_ORDER_CANNOT_CHANGE_DIRECTION',
  'EDIT_ORDER_DIFFERENT_INSTRUMENT',
  'EDIT_ORDER_SAME_ID',
])

/** The contract, at the newest block, wins over what this node knew; each code stands once. */
function refusalsOf(
  { refusal, outcome }: Preview,
  known: readonly FieldError[],
  verdict: FieldError | undefined,
): readonly FieldError[] {
  const isIdle = outcome !== undefined && outcome.filled === 0n && outcome.rested === 0n
  const counts = ({ code }: FieldError) =>
    outcome === undefined || BESIDE_THE_CONTRACT.has(code) || (isIdle && IDLE.has(code))
  const all = [refusal, ...known.filter(counts), verdict].filter((found) => found !== undefined)
  return all.filter(({ code }, index) => all.findIndex((found) => found.code === code) === index)
}

/** The contract takes them, and does nothing. */
const IDLE: ReadonlySet<string> = new Set(['IOC_ORDER_REJECTED', 'EXCEED_TRADE_PRICE_BAND'])

/** Returns the call that places an order, for a wallet that sends for itself. */
export async function answerBuild(parts: QuestionParts, question: Question): Promise<OrderBuilt> {
  const { trading } = parts.settings
  // In maintenance a wallet may go by itself where the venue doesn't; before the start nobody may.
  const early = trading === 'coming_soon' ? closedRefusal(trading) : undefined
  if (early !== undefined) throw early
  const parsed = read(parts, question)
  const owner = await ownerOf(parts.wallets, question.account)
  if (parsed.signature === undefined) await requireWalletsOwn(parts, owner, parsed)
  const nowSeconds = Math.floor(parts.clock.nowMs() / 1000)
  const { model } = parts
  const broken = checkOrder({ model, account: owner.account, nowSeconds }, parsed, true)
  if (broken.length > 0) throw orderRefusal(broken)
  return encodeBuild(parts.settings, parsed)
}

const signedKind = ({ triggerKind }: ParsedOrder['order']) =>
  triggerKind === 0 ? 'an order with replaces_amount' : 'an order with a trigger'

/**
 * The contract holds only signed orders against a trigger or what a replaced order has lost, and a
 * sub-account has no wallet.
 */
async function requireWalletsOwn(
  { history }: QuestionParts,
  { wallet }: Owner,
  { order }: ParsedOrder,
): Promise<void> {
  const { rows: isSubOf } = await history.ownerOf(wallet).catch((cause: unknown) => {
    throw historyUnavailable(cause)
  })
  const isPlain = order.triggerKind === 0 && order.replacesAmount === 0n
  if (isPlain && isSubOf === undefined) return
  const why = isSubOf === undefined ? signedKind(order) : 'an order of a sub-account'
  const message = `${why} is signed by a key: signature is required`
  throw fieldRefusal([{ field: 'signature', code: 'MISSING_PARAMETER', message }])
}
