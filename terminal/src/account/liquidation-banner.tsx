// Says above everything that the account is close to its liquidation, and what helps.
import { Show } from 'solid-js'
import type { AccountView } from '../worker/tables/table-protocol.ts'

/** What is announced stays as it is: the percentage, which moves, is not part of it. */
export const LiquidationBanner = (props: Readonly<{ account: AccountView }>) => (
  <Show when={props.account.warning}>
    {(warning) => (
      <p class="liquidation" classList={{ now: warning() === 'liquidatable' }}>
        <strong role="alert">
          <span aria-hidden="true">▲</span>{' '}
          {warning() === 'liquidatable'
            ? 'The account may be liquidated now.'
            : 'Liquidation is near.'}
        </strong>{' '}
        <span>The maintenance margin takes {props.account.usedText} of the equity.</span> Deposit
        margin, or close a part of a position.
      </p>
    )}
  </Show>
)
