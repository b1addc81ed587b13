// What an order would do at the newest block, and what is signed, in words.
import { For, Show } from 'solid-js'
import type { OrderCheck, PreviewView } from '../worker/order/order-protocol.ts'

export const OrderPreview = (props: Readonly<{ check: OrderCheck }>) => (
  <>
    <Show when={props.check.preview}>{(preview) => <Preview preview={preview()} />}</Show>
    <Show when={props.check.words}>
      <p class="order-words">{props.check.words}</p>
    </Show>
  </>
)

const Preview = (props: Readonly<{ preview: PreviewView }>) => (
  <div class="order-preview">
    <dl>
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
    <p class="order-at">at block {props.preview.block}</p>
  </div>
)

const Levels = (props: Readonly<{ fills: PreviewView['fills'] }>) => (
  <details>
    <summary>{props.fills.length} levels</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Price</th>
          <th scope="col">Amount</th>
          <th scope="col">Fee</th>
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
