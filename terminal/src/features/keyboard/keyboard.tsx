// Keyboard control: single-key shortcuts, their help under "?", and the command palette.
import { createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { later } from '../../page/later.ts'
import { isOffered, type Navigation, PAGES, pageName } from '../../page/navigation.ts'
import type { Venue } from '../../page/venue.ts'
import type { OrderEnding } from '../order/ending.tsx'
import type { Ticket } from '../order/ticket.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { ActionResult } from '../tables/table-protocol.ts'
import { type Command, findCommands, isPlainKey } from './commands.ts'
import './keyboard.css'
import * as text from './text.ts'

const KeyHelp = later(async () => (await import('./key-help.tsx')).KeyHelp)

type KeyboardProps = Readonly<{
  venue: Venue
  ticket: Ticket
  ending: OrderEnding
  navigation: Navigation
  saying: Announcer
  settings: SettingsStore
}>

export function Keyboard(props: KeyboardProps) {
  const { said, say } = props.saying
  const isOn = () => props.settings.chosen.hasSingleKeys
  const [isHelped, setHelped] = createSignal(false)
  let palette: HTMLDialogElement | undefined
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
    { name: text.readMarket, key: 'r', run: () => say(describeMarket(props.venue)) },
    { name: text.keys, key: '?', run: () => setHelped(true) },
  ]
  const allCommands = () => [
    ...commands(),
    { name: text.cancelAllOrders, run: () => void cancel('') },
    { name: text.closeAllPositions, run: () => void closeAll() },
    ...props.venue.shown.positions.map((row) => ({
      name: text.closePosition(row.market),
      run: () => props.ending.close(row.market),
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
      return palette?.showModal()
    }
    if (!isOn() || !isPlainKey(event)) return
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
      <Palette
        commands={allCommands()}
        onOpen={(dialog) => {
          palette = dialog
        }}
      />
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
const MATCHES_MAX = 40

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

type PaletteProps = Readonly<{
  commands: readonly Command[]
  onOpen: (dialog: HTMLDialogElement) => void
}>

function Palette(props: PaletteProps) {
  const [typed, setTyped] = createSignal('')
  // Longer lists are narrowed by typing.
  const matches = () => findCommands(props.commands, typed()).slice(0, MATCHES_MAX)
  let dialog: HTMLDialogElement | undefined
  const run = (command: Command | undefined) => {
    dialog?.close()
    setTyped('')
    command?.run()
  }
  return (
    <dialog
      ref={(element) => {
        dialog = element
        props.onOpen(element)
      }}
      class="keys"
      aria-label={text.palette}
      onClose={() => setTyped('')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(matches()[0])
        }}
      >
        <input
          type="text"
          aria-label={text.command}
          placeholder={text.paletteHint}
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul>
        <For each={matches()}>
          {(command) => (
            <li>
              <button type="button" onClick={() => run(command)}>
                {command.name} <kbd>{command.key}</kbd>
              </button>
            </li>
          )}
        </For>
      </ul>
    </dialog>
  )
}
