// The list of markets that opens from the market's name: search, tabs, and favourites.
import { createMemo, createSignal, For, onMount, Show } from 'solid-js'
import type { SettingsStore } from '../features/settings/settings.ts'
import { openLightly } from '../page/light-dialog.ts'
import type { Venue } from '../page/venue.ts'
import './market-menu.css'
import { listMarkets, MENU_TABS, type MenuTab } from '../features/market/market-list.ts'
import type { MarketRow } from '../features/market/market-protocol.ts'
import { stateText } from '../features/market/market-state.ts'
import * as text from '../features/market/text.ts'

type MenuProps = Readonly<{
  venue: Venue
  settings: SettingsStore
  choose: (market: string) => void
  onClose: () => void
}>

export function MarketMenu(props: MenuProps) {
  let dialog: HTMLDialogElement | undefined
  const [typed, setTyped] = createSignal('')
  const [tab, setTab] = createSignal<MenuTab>('all')
  const favourites = () => props.settings.chosen.favourites
  const wanted = () => ({ typed: typed(), tab: tab(), favourites: favourites() })
  const rows = createMemo(() => listMarkets(props.venue.shown.markets, wanted()))
  onMount(() => openLightly(dialog))
  const choose = (name: string | undefined) => {
    if (name === undefined) return
    dialog?.close()
    props.choose(name)
  }
  const turn = (name: string) => {
    const others = favourites().filter((favourite) => favourite !== name)
    const isNew = others.length === favourites().length
    props.settings.choose({ favourites: isNew ? [...others, name] : others })
  }
  return (
    <dialog
      ref={dialog}
      class="market-menu"
      aria-label={text.title}
      onClose={() => props.onClose()}
      onKeyDown={(event) => {
        if (moveFocus(event.currentTarget, event.key)) event.preventDefault()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          choose(rows()[0]?.name)
        }}
      >
        <input
          type="search"
          aria-label={text.find}
          placeholder={text.findHint}
          autocomplete="off"
          autofocus
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <fieldset class="tabs">
        <legend class="hidden">{text.listed}</legend>
        <For each={MENU_TABS}>
          {(name) => (
            <button type="button" aria-pressed={tab() === name} onClick={() => setTab(name)}>
              {text.menuTabs[name]}
            </button>
          )}
        </For>
      </fieldset>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.columns.name}</th>
            <th scope="col">{text.last}</th>
            <th scope="col">{text.columns.change}</th>
            <th scope="col">{text.columns.volume}</th>
            <th scope="col">{text.columns.funding}</th>
          </tr>
        </thead>
        <tbody>
          <For each={rows()}>
            {(row) => (
              <MenuRow
                row={row}
                isShown={row.name === props.venue.shown.market}
                isFavourite={favourites().includes(row.name)}
                turn={() => turn(row.name)}
                choose={() => choose(row.name)}
              />
            )}
          </For>
        </tbody>
      </table>
      <Show when={rows().length === 0}>
        <p class="quiet">{text.noMatches}</p>
      </Show>
    </dialog>
  )
}

/** Moves the focus from the search through the names of the markets, and back. */
function moveFocus(menu: HTMLElement, key: string): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step === undefined) return false
  const stops = [...menu.querySelectorAll<HTMLElement>('input, .menu-market')]
  stops[Math.max(0, stops.indexOf(document.activeElement as HTMLElement) + step)]?.focus()
  return true
}

type RowProps = Readonly<{
  row: MarketRow
  isShown: boolean
  isFavourite: boolean
  /** Adds the market to the favourites, or removes it. */
  turn: () => void
  choose: () => void
}>

const MenuRow = (props: RowProps) => (
  <tr onClick={() => props.choose()}>
    <td>
      <button
        type="button"
        class="star"
        aria-pressed={props.isFavourite}
        aria-label={text.favourite(props.row.name)}
        onClick={(event) => {
          event.stopPropagation()
          props.turn()
        }}
      >
        {props.isFavourite ? '★' : '☆'}
      </button>
      <button type="button" class="menu-market" aria-current={props.isShown}>
        {props.row.name}
      </button>{' '}
      <Show when={props.row.kind === 'SPOT' || props.row.state !== 'active'}>
        <span class="quiet">
          {props.row.state === 'active' ? text.kinds.SPOT : stateText(props.row)}
        </span>
      </Show>
    </td>
    <td>{props.row.last}</td>
    <td classList={{ [props.row.isUp ? 'buy' : 'sell']: props.row.change !== '' }}>
      {props.row.change || '–'}
    </td>
    <td>{props.row.volume}</td>
    <td>{props.row.funding || '–'}</td>
  </tr>
)
