// What went wrong on a page; where it could not be read, a button reads it again.
import { Show } from 'solid-js'
import type { AskProblem } from '../worker/question.ts'

type Props = Readonly<{
  problem: AskProblem | undefined
  isUnread: boolean
  isBusy: boolean
  again: () => void
}>

export const PageProblem = (props: Props) => (
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
          {props.isBusy ? 'Reading …' : 'Read again'}
        </button>
      </Show>
    </p>
  </Show>
)

/** With what the venue says of each field. */
const textOf = (problem: AskProblem | undefined): string =>
  problem === undefined
    ? ''
    : [problem.message, ...problem.details.map(({ message }) => message)].join(': ')
