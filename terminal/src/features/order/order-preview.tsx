// Shows what an order would do at the newest block, and what is signed.
import { For, Show } from 'solid-js'
import type { OrderCheck, PreviewView } from './order-protocol.ts'
import * as text from './text.ts'

type PreviewProps = Readonly<{
  check: OrderCheck
  isChecking: boolean
  /** Rows that are shown without a preview, too, so that nothing moves when it arrives. */
  names?: readonly string[]
}>

/** Keeps the last preview, marked as updating, while a new one is requested. */
export const OrderPreview = (props: PreviewProps) => {
  const preview = () => props.check.preview
  return (
    <>
      <div classList={{ 'order-preview': preview() !== undefined, checking: props.isChecking }}>
        <dl class="order-facts">
          <For each={factsOf(preview(), props.names ?? [])}>
            {({ name, value, hint }) => (
              <div title={hint}>
                <dt>{name}</dt>
                <dd>
                  {value}
                  <span class="hidden">{hint && ` (${hint})`}</span>
                </dd>
              </div>
            )}
          </For>
        </dl>
        <p class="order-at">{noteOf(props)}</p>
        <Show when={(preview()?.fills.length ?? 0) > 1}>
          <Levels fills={preview()?.fills ?? []} />
        </Show>
      </div>
      <Show when={props.check.words}>
        <p class="order-words">{props.check.words}</p>
      </Show>
    </>
  )
}

function noteOf({ check, isChecking }: PreviewProps): string {
  if (isChecking) return check.preview === undefined ? text.checking : text.updating
  return check.preview === undefined ? '' : text.exactAtBlock(check.preview.block)
}

type Facts = PreviewView['facts']

/** Returns the named rows in their order, then the others. */
function factsOf(preview: PreviewView | undefined, names: readonly string[]): Facts {
  const facts = preview?.facts ?? []
  const named = names.map(
    (name) => facts.find((fact) => fact.name === name) ?? { name, value: text.nothing },
  )
  return [...named, ...facts.filter(({ name }) => !names.includes(name))]
}

const Levels = (props: Readonly<{ fills: PreviewView['fills'] }>) => (
  <details>
    <summary>
      {props.fills.length} {text.levels}
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">{text.price}</th>
          <th scope="col">{text.size}</th>
          <th scope="col">{text.fee}</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.fills}>
          {({ price, amount, fees }) => (
            <tr>
              <td>{price}</td>
              <td>{amount}</td>
              <td>{fees}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  </details>
)
