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
  const cancel = async (of: string) => say(cancelledText(await props.ending.cancelOrders(of)))
  const closeAll = async () => {
    const outcome = await props.ending.closePositions('')
    say(
      [...(outcome?.refused ?? []), ...(outcome === undefined ? ['No positions closed'] : [])].join(
        '; ',
      ),
    )
  }
  const commands = (): readonly Command[] => [
    { name: 'Buy', key: 'b', run: () => begin('buy') },
    { name: 'Sell', key: 's', run: () => begin('sell') },
    { name: 'Clear the order', key: 'Escape', run: props.ticket.clear },
    { name: 'Cancel all orders of this market', key: 'c', run: () => void cancel(market()) },
    { name: 'Read out the market', key: 'r', run: () => say(describeMarket(props.venue)) },
    { name: 'Keys', key: '?', run: () => setHelped(true) },
  ]
  const everything = () => [
    ...commands(),
    { name: 'Cancel all orders of all markets', run: () => void cancel('') },
    { name: 'Close all positions', run: () => void closeAll() },
    ...props.venue.shown.positions.map((row) => ({
      name: `Close the position in ${row.market}`,
      run: () => props.ending.close(row.market),
    })),
    ...props.venue.shown.markets.map(({ name: market }) => ({
      name: `Open ${market}`,
      run: () => props.navigation.go({ market, page: 'trade' }),
    })),
    ...PAGES.filter((page) => isOffered(page, props.venue)).map((page) => ({
      name: `Show ${pageName(page)}`,
      run: () => props.navigation.go({ page }),
    })),
  ]
  listen((event) => {
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
        commands={everything()}
        onOpen={(dialog) => {
          palette = dialog
        }}
      />
    </>
  )
}

function cancelledText(outcome: ActionResult | undefined): string {
  if (outcome === undefined) return 'No orders cancelled'
  const { done, refused } = outcome
  const cancelled = done === 1 ? '1 order cancelled' : `${done} orders cancelled`
  return [cancelled, ...refused].join('; ')
}

/** Announces a text for a while. Announcing the same text again repeats it. */
export function createSaying() {
  const [said, setSaid] = createSignal('')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const say = (text: string) => {
    clearTimeout(timer)
    setSaid(text)
    timer = setTimeout(() => setSaid(''), SAID_MS)
  }
  return { said, say }
}

type Announcer = ReturnType<typeof createSaying>

const SAID_MS = 8_000
const FOUND_MAX = 40

function listen(hear: (event: KeyboardEvent) => void): void {
  onMount(() => addEventListener('keydown', hear))
  onCleanup(() => removeEventListener('keydown', hear))
}

function describeMarket({ shown }: Venue): string {
  const { book, market, own } = shown
  const entry = own.lines.find(({ key }) => key.endsWith('-entry'))
  const position = entry === undefined ? 'no position' : `${entry.text} ${entry.at}`
  const [bid, ask] = [book.bids[0]?.price ?? 'none', book.asks[0]?.price ?? 'none']
  return `${market}: bid ${bid}, ask ${ask}, spread ${book.spread}, ${position}`
}

type PaletteProps = Readonly<{
  commands: readonly Command[]
  onOpen: (dialog: HTMLDialogElement) => void
}>

function Palette(props: PaletteProps) {
  const [typed, setTyped] = createSignal('')
  // Longer lists are narrowed by typing.
  const found = () => findCommands(props.commands, typed()).slice(0, FOUND_MAX)
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
      aria-label="Commands"
      onClose={() => setTyped('')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run(found()[0])
        }}
      >
        <input
          type="text"
          aria-label="Command"
          placeholder="Market or command"
          autocomplete="off"
          value={typed()}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul>
        <For each={found()}>
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
