// Shared parts of the secondary pages: the view without an account, problems and facts.
import { For, type JSX, Show } from 'solid-js'
import type { Fact } from '../features/tables/table-protocol.ts'
import type { AskProblem } from '../protocol/question.ts'
import type { Navigation } from './navigation.ts'
import { isPlain } from './page-links.tsx'
import * as text from './text.ts'
import type { Venue } from './venue.ts'

export type PageProps = Readonly<{ venue: Venue; navigation: Navigation }>

/** Shows its children, or how to get an account while there is none. */
export const NeedsAccount = (
  props: PageProps & Readonly<{ reason: string; children: JSX.Element }>,
) => (
  <Show
    when={props.venue.shown.wallet.isEnabled}
    fallback={
      <p class="empty">
        <Show when={props.venue.shown.wallet.kind !== 'loading'} fallback={text.loadingAccount}>
          {props.reason}{' '}
          <a
            href={props.navigation.hrefOf({ page: 'trade' })}
            onClick={(event) => {
              if (!isPlain(event)) return
              event.preventDefault()
              props.navigation.go({ page: 'trade' })
            }}
          >
            {text.enableTrading}
          </a>{' '}
          {text.first}
        </Show>
      </p>
    }
  >
    {props.children}
  </Show>
)

type ProblemProps = Readonly<{
  problem: AskProblem | undefined
  isUnread: boolean
  isBusy: boolean
  again: () => void
}>

/** Shows an error; if the page could not be read, with a button to retry. */
export const PageProblem = (props: ProblemProps) => (
  <Show when={props.problem !== undefined || props.isUnread}>
    <p class="problem" role="alert">
      {textOf(props.problem)}{' '}
      <Show when={props.isUnread}>
        <button
          type="button"
          class="framed"
          aria-disabled={props.isBusy}
          onClick={() => !props.isBusy && props.again()}
        >
          {props.isBusy ? text.loading : text.refresh}
        </button>
      </Show>
    </p>
  </Show>
)

/** Returns the message, with the venue's details for each field. */
const textOf = (problem: AskProblem | undefined): string =>
  problem === undefined
    ? ''
    : [problem.message, ...problem.details.map(({ message }) => message)].join(': ')

/** Shows named values, each with an explanation below. */
export const FactTiles = (props: Readonly<{ facts: readonly Fact[] }>) => (
  <dl class="tiles">
    <For each={props.facts}>
      {(fact) => (
        <div>
          <dt>{fact.name}</dt>
          <dd class={fact.side}>{fact.value}</dd>
          <dd class="hint">{fact.hint}</dd>
        </div>
      )}
    </For>
  </dl>
)
