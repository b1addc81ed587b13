// Keyboard control: single-key shortcuts, their help under "?", and the command palette.
import { createSignal, onCleanup, onMount, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import { isOffered, type Navigation, PAGES, pageName } from '../../page/navigation.ts'
import type { Venue } from '../../page/venue.ts'
import type { OrderEnding } from '../order/ending.tsx'
import type { Ticket } from '../order/ticket.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ActionResult } from '../tables/table-protocol.ts'
import { type Command, isPlainKey } from './commands.ts'
import './keyboard.css'
import * as text from './text.ts'

const KeyHelp = later(async () => (await import('./key-help.tsx')).KeyHelp)
const Palette = later(async () => (await import('./palette.tsx')).Palette)

type KeyboardProps = Readonly<{
  venue: Venue
  ticket: Ticket
  ending: OrderEnding
  navigation: Navigation
  saying: Announcer
  settings: SettingsStore
  isMenuOpen: boolean
  /** Opens the list of markets. */
  openMenu: () => void
}>

export function Keyboard(props: KeyboardProps) {
  const { said, say } = props.saying
  const isOn = () => props.settings.chosen.hasSingleKeys
  const [isHelped, setHelped] = createSignal(false)
  const [isPalette, openPalette] = createSignal(false)
  const begin = (side: 'buy' | 'sell') => {
    if (props.navigation.page() !== 'trade') props.navigation.go({ page: 'trade' })
    props.ticket.begin(side)
  }
  const market = () => props.venue.shown.market
  const cancel = async (inMarket: string) =>
    say(cancelledText(await props.ending.cancelOrders(inMarket)))
  const closeAll = async () => {
    const outcome = await props.ending.closePositions('')
    say(
      [
        ...(outcome?.refused ?? []),
        ...(outcome === undefined ? [text.noPositionsClosed] : []),
      ].join('; '),
    )
  }
  const commands = (): readonly Command[] => [
    { name: text.buy, key: 'b', run: () => begin('buy') },
    { name: text.sell, key: 's', run: () => begin('sell') },
    { name: text.clearOrder, key: 'Escape', run: props.ticket.clear },
    { name: text.cancelOrdersOfMarket, key: 'c', run: () => void cancel(market()) },
    { name: text.chooseMarket, key: '/', run: props.openMenu },
    { name: text.readMarket, key: 'r', run: () => say(describeMarket(props.venue)) },
    { name: text.keys, key: '?', run: () => setHelped(true) },
  ]
  const allCommands = () => [
    ...commands(),
    { name: text.cancelAllOrders, run: () => void cancel('') },
    { name: text.closeAllPositions, run: () => void closeAll() },
    ...props.venue.shown.positions.map((row) => ({
      name: text.closePosition(row.market),
      run: () => props.ending.close({ market: row.market, way: 'market' }),
    })),
    ...props.venue.shown.markets.map(({ name: market }) => ({
      name: text.openMarket(market),
      run: () => props.navigation.go({ market, page: 'trade' }),
    })),
    ...PAGES.filter((page) => isOffered(page, props.venue)).map((page) => ({
      name: text.showPage(pageName(page)),
      run: () => props.navigation.go({ page }),
    })),
  ]
  listenToKeys((event) => {
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      openPalette(true)
      return
    }
    // Until an opened list is loaded, the keys are meant for it.
    if (props.isMenuOpen || isPalette() || !isOn() || !isPlainKey(event)) return
    const command = commands().find(({ key }) => key === event.key)
    if (command === undefined) return
    event.preventDefault()
    command.run()
  })
  return (
    <>
      <p class="keys-said" role="status">
        {said()}
      </p>
      <Show when={isHelped()}>
        <KeyHelp
          {...{ commands: commands(), isOn: isOn() }}
          turn={(hasSingleKeys) => props.settings.choose({ hasSingleKeys })}
          onClose={() => setHelped(false)}
        />
      </Show>
      <Show when={isPalette()}>
        <Palette commands={allCommands()} onClose={() => openPalette(false)} />
      </Show>
    </>
  )
}

function cancelledText(outcome: ActionResult | undefined): string {
  if (outcome === undefined) return text.noOrdersCancelled
  const { done, refused } = outcome
  return [text.ordersCancelled(done), ...refused].join('; ')
}

/** Announces a text for a while. Announcing the same text again repeats it. */
export function createSaying() {
  const [said, setSaid] = createSignal('')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const say = (sentence: string) => {
    clearTimeout(timer)
    setSaid(sentence)
    timer = setTimeout(() => setSaid(''), SAID_MS)
  }
  return { said, say }
}

type Announcer = ReturnType<typeof createSaying>

const SAID_MS = 8_000

function listenToKeys(onKey: (event: KeyboardEvent) => void): void {
  onMount(() => addEventListener('keydown', onKey))
  onCleanup(() => removeEventListener('keydown', onKey))
}

function describeMarket({ shown }: Venue): string {
  const { book, market, ownMarks } = shown
  const entry = ownMarks.lines.find(({ key }) => key.endsWith('-entry'))
  const position = entry === undefined ? text.noPosition : `${entry.text} ${entry.at}`
  const [bid = text.noPrice, ask = text.noPrice] = [book.bids[0]?.price, book.asks[0]?.price]
  return text.marketFacts({ market, bid, ask, spread: book.spread, position })
}
