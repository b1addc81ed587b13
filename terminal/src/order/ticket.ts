// Holds what is typed into the order form, and what the worker says of it. Nothing but somebody's
// own typing and clicks changes a field.
import { createEffect, createSignal, on, onCleanup } from 'solid-js'
import { createStore } from 'solid-js/store'
import { AskError } from '../asking.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Venue } from '../venue.ts'
import type {
  DraftField,
  OrderCheck,
  OrderDraft,
  OrderProblem,
  Placing,
} from '../worker/order/order-protocol.ts'
import type { MarketRow } from '../worker/protocol.ts'

/** A pause in typing after which a draft is checked. */
const TYPING_MS = 250
/** Prices move under a draft: what is shown of it is asked for again. */
const AGAIN_MS = 5_000

/** What is typed and chosen; the market is the one that is shown. */
export type Fields = Omit<OrderDraft, 'market'>

const EMPTY: Fields = {
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
  draft: Fields
  set: (fields: Partial<Fields>) => void
  /** What the worker said of the draft last. */
  check: () => OrderCheck
  /** The draft was changed, and the venue has not said yet what it would do. */
  isChecking: () => boolean
  /** Rules that a field breaks; of the whole order without a field. */
  problemsOf: (field: DraftField | undefined) => readonly OrderProblem[]
  /** Takes a price of the book to where one is typed; a market order becomes a limit order. */
  take: (price: string) => void
  place: () => Promise<void>
  /** Fills in so many percent of what the account can trade. */
  size: (percent: number) => Promise<void>
  clear: () => void
  isPlacing: () => boolean
  /** Prices are older than they should be: an order has to be meant so. */
  isStale: () => boolean
  isStaleMeant: () => boolean
  meanStale: (isMeant: boolean) => void
  /** Until the venue takes orders again. */
  waitSeconds: () => number
  /** Begins an order of a side: the form takes the keyboard. */
  begin: (side: Fields['side']) => void
  onBegin: (listener: () => void) => void
  /** Called once the venue has taken the form's order. */
  onPlaced: (listener: () => void) => void
}>

/** Makes the form's state; one for the page. */
export function createTicket(venue: Venue, settings: SettingsStore): Ticket {
  const [draft, set] = createStore<Fields>({ ...EMPTY })
  const [refused, setRefused] = createSignal<readonly OrderProblem[]>([])
  const [isPlacing, setPlacing] = createSignal(false)
  const countdown = createCountdown()
  const whole = (): OrderDraft => ({ ...draft, market: venue.shown.market })
  const { check, isChecking } = createChecking(venue, whole, countdown.begin)
  const stale = createStale(venue)
  const [begun, placed] = [createListener(), createListener()]
  const change = (fields: Partial<Fields>) => {
    setRefused([])
    set(fields)
  }
  // A price of one market means something else in another.
  createEffect(
    on(
      () => venue.shown.market,
      (_market, before) => {
        if (before) change({ price: '', trigger: '', takeProfit: '', stopLoss: '' })
      },
    ),
  )
  reduceWhileHalted(venue, (isReduceOnly) => set({ isReduceOnly }))
  const answer = ({ isPlaced, problems, retryAfterMs }: Placing) => {
    setRefused(isPlaced ? [] : problems)
    countdown.begin(retryAfterMs)
    if (!isPlaced) return
    if (!settings.chosen.keepsSize) set({ amount: '' })
    placed.notify()
  }
  const place = async () => {
    if (isPlacing() || countdown.seconds() > 0 || stale.isUnmeant()) return
    setPlacing(true)
    answer(await venue.ask('placeOrder', whole()).catch(problemOf))
    setPlacing(false)
  }
  const size = async (percent: number) => {
    const { market } = venue.shown
    const asked = venue.ask('sizeOrder', { draft: whole(), percent })
    const amount = await asked.catch((error: unknown) => answer(problemOf(error)))
    if (amount && market === venue.shown.market) change({ amount, amountUnit: 'base' })
  }
  return {
    ...{ draft, set: change, check, isChecking, place, size, isPlacing },
    ...{ waitSeconds: countdown.seconds, isStale: stale.isStale },
    ...{ isStaleMeant: stale.isMeant, meanStale: stale.mean },
    problemsOf: (field) => distinct([...refused(), ...check().problems], field),
    take: (price) => {
      const isTriggered = draft.type === 'stop' || draft.type === 'take-profit'
      change(isTriggered ? { trigger: price } : { price, type: 'limit' })
    },
    clear: () => change({ ...EMPTY, side: draft.side, type: draft.type }),
    begin: (side) => {
      change({ side })
      begun.notify()
    },
    onBegin: begun.listen,
    onPlaced: placed.listen,
  }
}

/** Who hears of something: one at a time. */
function createListener() {
  const own = {
    notify: () => {},
    listen: (listener: () => void) => {
      own.notify = listener
    },
  }
  return own
}

/** Checks the draft after each pause in typing; only the newest answer counts. */
function createChecking(
  venue: Venue,
  whole: () => OrderDraft,
  onWait: (ms: number | undefined) => void,
): Readonly<{ check: () => OrderCheck; isChecking: () => boolean }> {
  const [check, setCheck] = createSignal(NOTHING)
  const [isChecking, setChecking] = createSignal(false)
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async (draft: OrderDraft) => {
    const at = ++asked
    const answer = await venue.ask('checkOrder', draft).catch((): OrderCheck => NOTHING)
    if (at !== asked) return
    setCheck(answer)
    setChecking(false)
    onWait(answer.retryAfterMs)
    timer = setTimeout(() => ask(draft), Math.max(AGAIN_MS, answer.retryAfterMs ?? 0))
  }
  createEffect(() => {
    const draft = whole()
    // With an account there is more to say of the same draft.
    const pauseMs = venue.shown.isTrading ? TYPING_MS : 0
    clearTimeout(timer)
    asked++
    const isTyped = draft.amount.trim() !== ''
    setChecking(isTyped)
    if (!isTyped) setCheck(NOTHING)
    else timer = setTimeout(() => ask(draft), pauseMs)
  })
  onCleanup(() => clearTimeout(timer))
  return { check, isChecking }
}

/** Whether prices are old; to mean an order all the same holds until they are new again. */
function createStale(venue: Venue) {
  const [isMeant, mean] = createSignal(false)
  const isStale = () => !FRESH.has(venue.shown.connection)
  createEffect(on(isStale, () => mean(false)))
  return { isStale, isMeant, mean, isUnmeant: () => isStale() && !isMeant() }
}

/** Before the first prices there are none that could be old. */
const FRESH: ReadonlySet<string> = new Set(['open', 'connecting'])

/** While a perpetual is halted it takes orders that reduce: that is chosen, and taken back. */
function reduceWhileHalted(venue: Venue, choose: (isReduceOnly: boolean) => void): void {
  let isChosen = false
  createEffect(
    on(
      () => isReducedOnly(shownRow(venue)),
      (isReduced) => {
        if (isReduced === isChosen) return
        isChosen = isReduced
        choose(isReduced)
      },
    ),
  )
}

/** The market that is shown; undefined before there is one. */
export const shownRow = ({ shown }: Venue): MarketRow | undefined =>
  shown.markets.find(({ name }) => name === shown.market)

/** Whether a market takes nothing but what reduces positions. */
const isReducedOnly = (row: MarketRow | undefined): boolean =>
  row?.kind === 'PERPETUAL' && row.state === 'halted'

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

/** The same rule may come from the check and from the refusal. */
function distinct(
  problems: readonly OrderProblem[],
  field: DraftField | undefined,
): readonly OrderProblem[] {
  const here = problems.filter((problem) => problem.field === field)
  return [...new Map(here.map((one) => [one.text, one])).values()]
}

function problemOf(error: unknown): Placing {
  if (!(error instanceof AskError)) throw error
  const { message, retryAfterMs } = error.problem
  const problems = [{ field: undefined, text: message, nearest: [] }]
  return { isPlaced: false, problems, retryAfterMs }
}
