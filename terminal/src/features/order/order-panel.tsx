// The order form: fields, preview, and a description of what is signed.
import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import type { Venue } from '../../page/venue.ts'
import type { MarketRow } from '../market/market-protocol.ts'
import { POSITION_SIZE } from '../tables/table-protocol.ts'
import type { LeverageView, PlacedView } from './order-protocol.ts'
import { isTriggered, shownRow, type Ticket } from './ticket.ts'
import './order.css'
import { FieldRules, OrderField, OrderRules } from './order-field.tsx'
import { OrderOptions, SideChoice, TypeChoice } from './order-options.tsx'
import { OrderPreview } from './order-preview.tsx'
import { PlaceButton } from './place-button.tsx'
import * as text from './text.ts'

const SIGNS = { good: '✓', bad: '▲', plain: '•' } as const

export function OrderPanel(props: Readonly<{ venue: Venue; ticket: Ticket }>) {
  const shown = () => props.venue.shown
  const row = createMemo(() => shownRow(props.venue))
  const isPerpetual = createMemo(() => row()?.kind === 'PERPETUAL')
  let amount: HTMLInputElement | undefined
  props.ticket.onBegin(() => amount?.focus())
  return (
    <section class="panel order" aria-label={text.orderForm}>
      <div class="panel-head">
        <h2>{text.orderForm}</h2>
        <Show when={isPerpetual()}>
          <LeverageButton venue={props.venue} />
        </Show>
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void props.ticket.place()
        }}
      >
        <SideChoice ticket={props.ticket} />
        <FieldRules ticket={props.ticket} field="side" />
        <TypeChoice ticket={props.ticket} />
        <Means shown={shown()} isPerpetual={isPerpetual()} />
        <PriceFields venue={props.venue} ticket={props.ticket} unit={row()?.quote ?? ''} />
        <OrderField
          ticket={props.ticket}
          field="amount"
          label={text.size}
          unit=""
          onInput={(input) => {
            amount = input
          }}
        >
          <UnitButton
            ticket={props.ticket}
            units={{ base: row()?.base ?? '', quote: row()?.quote ?? '' }}
          />
        </OrderField>
        <SizeSlider ticket={props.ticket} isTrading={shown().isTrading} />
        <OrderOptions ticket={props.ticket} isPerpetual={isPerpetual()} />
        <FieldRules ticket={props.ticket} field="type" />
        <OrderRules problems={props.ticket.problemsOf(undefined)} />
        <PlaceButton venue={props.venue} ticket={props.ticket} />
        {/* Below the button, which no preview moves. */}
        <OrderPreview
          check={props.ticket.check()}
          isChecking={props.ticket.isChecking()}
          names={factNames(row())}
        />
        <PlacedList placed={shown().placed} />
      </form>
    </section>
  )
}

/** Funds available to the account, and its position in the displayed market. */
const Means = (props: Readonly<{ shown: Venue['shown']; isPerpetual: boolean }>) => (
  <dl class="order-facts">
    <div>
      <dt>{text.available}</dt>
      <dd>
        {(props.isPerpetual ? props.shown.account.free : props.shown.account.buyingPower.value) ||
          text.nothing}
      </dd>
    </div>
    <Show when={props.isPerpetual}>
      <div>
        <dt>{text.position}</dt>
        <dd>
          {props.shown.positions.find(({ market }) => market === props.shown.market)?.cells[
            POSITION_SIZE
          ]?.text ?? text.nothing}
        </dd>
      </div>
    </Show>
  </dl>
)

/** Names of the rows below the button. They are shown before there is a preview, too. */
const factNames = (row: MarketRow | undefined): readonly string[] => {
  if (row === undefined) return []
  const before = [text.estimatedFill, text.averagePrice, text.fee]
  return row.kind === 'SPOT'
    ? [...before, row.base, row.quote]
    : [...before, text.position, text.marginUsed, text.available, text.liquidationPrice]
}

function PriceFields(props: Readonly<{ venue: Venue; ticket: Ticket; unit: string }>) {
  const type = () => props.ticket.draft.type
  return (
    <>
      <Show when={type() === 'limit'}>
        <OrderField ticket={props.ticket} field="price" label={text.price} unit={props.unit} />
        <div class="picks">
          <For each={text.picks}>
            {(name, at) => (
              <button
                type="button"
                disabled={props.venue.shown.book.picks[at()] === undefined}
                onClick={() =>
                  props.ticket.set({ price: props.venue.shown.book.picks[at()] ?? '' })
                }
              >
                {name}
              </button>
            )}
          </For>
        </div>
      </Show>
      <Show when={isTriggered(props.ticket.draft)}>
        <OrderField
          ticket={props.ticket}
          field="trigger"
          label={text.triggerPrice}
          unit={text.atMark}
        />
      </Show>
      <Show when={type() !== 'limit'}>
        <OrderField ticket={props.ticket} field="slippage" label={text.slippage} unit="%" />
      </Show>
    </>
  )
}

type UnitProps = Readonly<{
  ticket: Ticket
  units: Readonly<Record<'base' | 'quote', string>>
}>

/** Switches the unit of the amount. The typed text stays. */
const UnitButton = (props: UnitProps) => {
  const unit = () => props.ticket.draft.amountUnit
  const other = () => (unit() === 'base' ? 'quote' : 'base')
  return (
    <button
      type="button"
      class="unit"
      title={text.enterAmountIn(props.units[other()])}
      aria-label={text.amountUnit(props.units[unit()], props.units[other()])}
      onClick={() => props.ticket.set({ amountUnit: other() })}
    >
      {props.units[unit()]} ⇄
    </button>
  )
}

/** Fills in a share of what the account can trade, until another size is typed. */
function SizeSlider(props: Readonly<{ ticket: Ticket; isTrading: boolean }>) {
  const [chosen, choose] = createSignal({ percent: 0, amount: '' })
  const percent = () => (props.ticket.draft.amount === chosen().amount ? chosen().percent : 0)
  const slide = async (to: number) => {
    await props.ticket.size(to)
    choose({ percent: to, amount: props.ticket.draft.amount })
  }
  return (
    <label class="order-slider">
      <span class="hidden">{text.buyingPowerShare}</span>
      <input
        type="range"
        disabled={!props.isTrading}
        value={percent()}
        onInput={(event) => void slide(event.currentTarget.valueAsNumber)}
      />
      <span>{percent()} %</span>
    </label>
  )
}

const LeverageDialog = later(async () => (await import('./leverage-dialog.tsx')).LeverageDialog)

/** The leverage of the displayed market; a click opens its dialog. */
function LeverageButton(props: Readonly<{ venue: Venue }>) {
  const shown = () => props.venue.shown
  const [view, setView] = createSignal<LeverageView>()
  const [isOpen, setOpen] = createSignal(false)
  // Without an account the market's maximum is shown.
  const now = () => view()?.now || shownRow(props.venue)?.maxLeverage
  const read = async () => {
    const market = shown().market
    setView(undefined)
    if (market === '' || !shown().isTrading) return
    const current = props.venue.ask('checkLeverage', { market, leverage: '' })
    const answer = await current.catch(() => undefined)
    if (market === shown().market) setView(answer)
  }
  createEffect(on([() => shown().market, () => shown().isTrading], () => void read()))
  return (
    <Show when={now()}>
      {(leverage) => (
        <>
          <button
            type="button"
            class="leverage"
            disabled={!shown().isTrading || view() === undefined}
            title={shown().isTrading ? text.setLeverage : text.marketLimits}
            onClick={() => setOpen(true)}
          >
            {text.leverageLabel} {leverage()}×
          </button>
          <Show when={isOpen() && view()} keyed>
            {(current) => (
              <LeverageDialog
                venue={props.venue}
                market={shown().market}
                current={current}
                onClose={() => {
                  setOpen(false)
                  void read()
                }}
              />
            )}
          </Show>
        </>
      )}
    </Show>
  )
}

/** The newest orders: the venue's receipt of each, and its status on the chain. */
const PlacedList = (props: Readonly<{ placed: readonly PlacedView[] }>) => (
  <Show when={props.placed.length > 0}>
    <ul class="order-placed" aria-label={text.placedLast}>
      <For each={props.placed}>{(placed) => <Placed placed={placed} />}</For>
    </ul>
  </Show>
)

const Placed = (props: Readonly<{ placed: PlacedView }>) => (
  <li class={props.placed.tone} classList={{ pending: props.placed.isPending }}>
    <p>
      <span aria-hidden="true">{props.placed.isPending ? '○' : SIGNS[props.placed.tone]}</span>{' '}
      {props.placed.text}
    </p>
    <details>
      <summary>{props.placed.promise}</summary>
      <dl>
        <For each={props.placed.receipt}>
          {({ name, value }) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
      <p class="order-at">
        {text.signedByVenue}{' '}
        <a href={props.placed.ledgerUrl} target="_blank" rel="noopener">
          {text.outcome}
        </a>{' '}
        {text.outcomeIsPublic}
        <code> {text.ledgerCheck}</code> {text.comparesLedger}
      </p>
    </details>
  </li>
)
