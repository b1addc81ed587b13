// Shows what an order would do at the newest block, and what is signed.
import { For, Show } from 'solid-js'
import type { OrderCheck, PreviewView } from './order-protocol.ts'
import * as text from './text.ts'

/** Keeps the last preview, marked as updating, while a new one is requested. */
export const OrderPreview = (props: Readonly<{ check: OrderCheck; isChecking: boolean }>) => (
  <>
    <Show
      when={props.check.preview}
      fallback={
        <Show when={props.isChecking}>
          <p class="order-at">{text.checking}</p>
        </Show>
      }
    >
      {(preview) => <Preview preview={preview()} isChecking={props.isChecking} />}
    </Show>
    <Show when={props.check.words}>
      <p class="order-words">{props.check.words}</p>
    </Show>
  </>
)

const Preview = (props: Readonly<{ preview: PreviewView; isChecking: boolean }>) => (
  <div class="order-preview" classList={{ checking: props.isChecking }}>
    <dl class="order-facts">
      <For each={props.preview.facts}>
        {({ name, value }) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )}
      </For>
    </dl>
    <Show when={props.preview.fills.length > 1}>
      <Levels fills={props.preview.fills} />
    </Show>
    <p class="order-at">
      {props.isChecking ? text.updating : text.exactAtBlock(props.preview.block)}
    </p>
  </div>
)

const Levels = (props: Readonly<{ fills: PreviewView['fills'] }>) => (
  <details>
    <summary>
      {props.fills.length} {text.levels}
    </summary>
    <table>
      <thead>
        <tr>
          <th scope="col">{text.price}</th>
          <th scope="col">{text.amount}</th>
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
