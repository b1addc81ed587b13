// State of the order form: its fields, and the worker's check of them. Fields change only by the
// user's own typing and clicks.
import { createEffect, createMemo, createSignal, on, onCleanup } from 'solid-js'
import { createStore } from 'solid-js/store'
import type { Venue } from '../../page/venue.ts'
import { AskError } from '../../protocol/asking.ts'
import type { MarketRow } from '../market/market-protocol.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { POSITION_SIZE } from '../tables/table-protocol.ts'
import type {
  DraftField,
  OrderCheck,
  OrderDraft,
  OrderProblem,
  PlaceResult,
} from './order-protocol.ts'

/** A pause in typing after which a draft is checked. */
const TYPING_MS = 250
/** Interval at which the preview is refreshed, because prices move. */
const AGAIN_MS = 5_000

/** Typed and chosen values; the market is the displayed one. */
export type TicketFields = Omit<OrderDraft, 'market'>

const EMPTY: TicketFields = {
  ...{ side: 'buy', type: 'limit', price: '', trigger: '', amount: '', slippage: '1' },
  ...{
    timeInForce: 'GTC',
    goodTil: '',
    amountUnit: 'base',
    isPostOnly: false,
    isReduceOnly: false,
  },
  ...{ takeProfit: '', stopLoss: '' },
}
const NOTHING: OrderCheck = {
  ...{ problems: [], words: '', warnings: [], hints: {}, preview: undefined },
  retryAfterMs: undefined,
}

export type Ticket = Readonly<{
  draft: TicketFields
  set: (fields: Partial<TicketFields>) => void
  /** The worker's last check of the draft. */
  check: () => OrderCheck
  /** True while the changed draft has no preview yet. */
  isChecking: () => boolean
  /** Rules that a field breaks; without a field, those of the whole order. */
  problemsOf: (field: DraftField | undefined) => readonly OrderProblem[]
  /** Fills a price of the book into the price field; a market order becomes a limit order. */
  take: (price: string) => void
  place: () => Promise<void>
  /** Fills in an amount that is `percent` of what the account can trade. */
  size: (percent: number) => Promise<void>
  clear: () => void
  isPlacing: () => boolean
  /** The order that was being sent when the page was reloaded; empty: none. */
  lost: () => string
  /** True while prices are outdated and an order needs confirmation. */
  isStale: () => boolean
  isStaleMeant: () => boolean
  meanStale: (isMeant: boolean) => void
  /** Seconds until the venue accepts orders again. */
  waitSeconds: () => number
  /** Starts an order on a side and moves the focus to the form. */
  begin: (side: TicketFields['side']) => void
  onBegin: (listener: () => void) => void
  /** Called once the venue has accepted the form's order. */
  onPlaced: (listener: () => void) => void
}>

/** Creates the form's state; one per page. */
export function createTicket(venue: Venue, settings: SettingsStore): Ticket {
  const [draft, set] = createDraft(settings)
  const [refused, setRefused] = createSignal<readonly OrderProblem[]>([])
  const [isPlacing, setPlacing] = createSignal(false)
  const countdown = createCountdown()
  const whole = (): OrderDraft => ({ ...draft, market: venue.shown.market })
  const { check, isChecking } = createChecking(venue, whole, countdown.begin)
  const [stale, sending] = [createStale(venue), createSending()]
  const [begun, placed] = [createListener(), createListener()]
  const change = (fields: Partial<TicketFields>) => {
    setRefused([])
    set(fields)
  }
  // A price or an amount of one market is meaningless in another.
  createEffect(
    on(
      () => venue.shown.market,
      (_market, before) => {
        if (before) change({ price: '', trigger: '', amount: '', takeProfit: '', stopLoss: '' })
      },
    ),
  )
  // Set once per change: the user may decide otherwise.
  const isOnlyReducing = createMemo(() => isReducedOnly(shownRow(venue)) || isExit(venue, draft))
  createEffect(on(isOnlyReducing, (isReduceOnly) => set({ isReduceOnly }), { defer: true }))
  const answer = ({ isPlaced, problems, retryAfterMs }: PlaceResult) => {
    setRefused(isPlaced ? [] : problems)
    countdown.begin(retryAfterMs)
    if (!isPlaced) return
    if (!settings.chosen.keepsSize) set({ amount: '' })
    placed.notify()
  }
  const place = async () => {
    if (isPlacing() || countdown.seconds() > 0 || stale.isUnmeant()) return
    setPlacing(true)
    sending.begin(`${draft.side} ${draft.amount} ${venue.shown.market}`)
    answer(await venue.ask('placeOrder', whole()).catch(problemOf))
    sending.end()
    setPlacing(false)
  }
  const askSize = createSizing(venue, whole)
  const size = async (percent: number) => {
    const amount = await askSize(percent).catch((error: unknown) => answer(problemOf(error)))
    if (amount) change({ amount, amountUnit: 'base' })
  }
  return {
    ...{ draft, set: change, check, isChecking, place, size, isPlacing, lost: sending.lost },
    ...{ waitSeconds: countdown.seconds, isStale: stale.isStale },
    ...{ isStaleMeant: stale.isMeant, meanStale: stale.mean },
    problemsOf: (field) => distinct([...refused(), ...check().problems], field),
    take: (price) => change(isTriggered(draft) ? { trigger: price } : { price, type: 'limit' }),
    clear: () => change({ ...EMPTY, side: draft.side, type: draft.type }),
    begin: (side) => {
      change({ side })
      begun.notify()
    },
    onBegin: begun.listen,
    onPlaced: placed.listen,
  }
}

/** The fields, whose type, unit and slippage are kept for the next visit. */
function createDraft({ chosen, choose }: SettingsStore) {
  const { orderType: type, amountUnit, slippage } = chosen
  const [draft, set] = createStore<TicketFields>({ ...EMPTY, type, amountUnit, slippage })
  createEffect(() =>
    choose({ orderType: draft.type, amountUnit: draft.amountUnit, slippage: draft.slippage }),
  )
  return [draft, set] as const
}

/** While the slider is dragged, only the newest answer counts, and only for the same market. */
function createSizing(venue: Venue, whole: () => OrderDraft) {
  let newest = 0
  return async (percent: number): Promise<string> => {
    const { market } = venue.shown
    const at = ++newest
    const amount = await venue.ask('sizeOrder', { draft: whole(), percent })
    return at === newest && market === venue.shown.market ? amount : ''
  }
}

const SENDING = 'openvenue.sending'

/** Remembers the order that is being sent, so that a reload meanwhile is reported. */
function createSending() {
  const [lost, setLost] = createSignal(inSession((store) => store.getItem(SENDING)) ?? '')
  const end = () => inSession((store) => store.removeItem(SENDING))
  end()
  const begin = (order: string) => {
    setLost('')
    inSession((store) => store.setItem(SENDING, order))
  }
  return { lost, begin, end }
}

/** A browser may refuse storage: then a reload is not noticed. */
function inSession<Result>(use: (store: Storage) => Result): Result | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

/** Holds one listener. */
function createListener() {
  const listener = {
    notify: () => {},
    listen: (listenTo: () => void) => {
      listener.notify = listenTo
    },
  }
  return listener
}

/** Checks the draft after each pause in typing; only the newest answer counts. */
function createChecking(
  venue: Venue,
  whole: () => OrderDraft,
  onWait: (ms: number | undefined) => void,
): Readonly<{ check: () => OrderCheck; isChecking: () => boolean }> {
  const [check, setCheck] = createSignal(NOTHING)
  const [isChecking, setChecking] = createSignal(false)
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (draft: OrderDraft) => {
    const at = ++newest
    const answer = await venue.ask('checkOrder', draft).catch((): OrderCheck => NOTHING)
    if (at !== newest) return
    setCheck(answer)
    setChecking(false)
    onWait(answer.retryAfterMs)
    timer = setTimeout(() => ask(draft), Math.max(AGAIN_MS, answer.retryAfterMs ?? 0))
  }
  createEffect(() => {
    const draft = whole()
    // With an account the check includes a preview, which is a request to the venue.
    const pauseMs = venue.shown.isTrading ? TYPING_MS : 0
    clearTimeout(timer)
    newest++
    const isTyped = draft.amount.trim() !== ''
    setChecking(isTyped)
    if (!isTyped) setCheck(NOTHING)
    else timer = setTimeout(() => ask(draft), pauseMs)
  })
  onCleanup(() => clearTimeout(timer))
  return { check, isChecking }
}

/** Tracks outdated prices. A confirmation lasts until prices are fresh again. */
function createStale(venue: Venue) {
  const [isMeant, mean] = createSignal(false)
  const isStale = () => !FRESH.has(venue.shown.connection)
  createEffect(on(isStale, () => mean(false)))
  return { isStale, isMeant, mean, isUnmeant: () => isStale() && !isMeant() }
}

/** Before the first prices there is nothing outdated. */
const FRESH: ReadonlySet<string> = new Set(['open', 'connecting'])

/** The displayed market; undefined before there is one. */
export const shownRow = ({ shown }: Venue): MarketRow | undefined =>
  shown.markets.find(({ name }) => name === shown.market)

/** Returns true if a market accepts only reduce-only orders. */
const isReducedOnly = (row: MarketRow | undefined): boolean =>
  row?.kind === 'PERPETUAL' && row.state === 'halted'

/**
 * Returns the side of the position in the displayed market: `''` without one, undefined while the
 * account is unknown.
 */
export function positionSide({ shown }: Venue): 'buy' | 'sell' | '' | undefined {
  if (!shown.account.isKnown) return undefined
  return (
    shown.positions.find(({ market }) => market === shown.market)?.cells[POSITION_SIZE]?.side ?? ''
  )
}

/**
 * Returns true for a stop or take profit against an open position. It is reduce-only unless the
 * user decides otherwise: one that is left after the position has closed must not open another.
 */
const isExit = (venue: Venue, draft: TicketFields): boolean =>
  isTriggered(draft) && (positionSide(venue) || draft.side) !== draft.side

export const isTriggered = ({ type }: TicketFields) => type === 'stop' || type === 'take-profit'

function createCountdown() {
  const [seconds, setSeconds] = createSignal(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const step = () => {
    setSeconds(Math.max(0, seconds() - 1))
    if (seconds() > 0) timer = setTimeout(step, 1_000)
  }
  onCleanup(() => clearTimeout(timer))
  const begin = (ms: number | undefined) => {
    if (ms === undefined) return
    clearTimeout(timer)
    setSeconds(Math.ceil(ms / 1_000) + 1)
    step()
  }
  return { seconds, begin }
}

/** The check and the refusal may report the same rule. */
function distinct(
  problems: readonly OrderProblem[],
  field: DraftField | undefined,
): readonly OrderProblem[] {
  const ofField = problems.filter((problem) => problem.field === field)
  return [...new Map(ofField.map((problem) => [problem.text, problem])).values()]
}

function problemOf(error: unknown): PlaceResult {
  if (!(error instanceof AskError)) throw error
  const { message, retryAfterMs } = error.problem
  const problems = [{ field: undefined, text: message, nearest: [] }]
  return { isPlaced: false, problems, retryAfterMs }
}
