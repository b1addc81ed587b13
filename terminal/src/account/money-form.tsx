// Money in and out: the wallet sends both to the chain itself.
import { createSignal, For } from 'solid-js'
import type { MoneyForm as Asked } from '../worker/account/account-protocol.ts'
import type { WalletView } from '../worker/wallet/wallet-protocol.ts'
import type { createWorking } from './working.ts'

type Props = Readonly<{ wallet: WalletView; work: ReturnType<typeof createWorking>['work'] }>

export function MoneyForm(props: Props) {
  const [asked, setAsked] = createSignal<Asked>({ engine: 'perps', symbol: 'USDC', amount: '' })
  const change = (part: Partial<Asked>) => setAsked((before) => ({ ...before, ...part }))
  const inWallet = () =>
    props.wallet.tokens.find(({ symbol }) => symbol === asked().symbol)?.inWallet ?? '–'
  return (
    <details>
      <summary>Deposit or withdraw</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const kind =
            event.submitter?.getAttribute('value') === 'withdraw' ? 'withdraw' : 'deposit'
          void props.work(kind, asked())
        }}
      >
        <label>
          For
          <select
            value={asked().engine}
            onInput={(event) => change({ engine: event.currentTarget.value as Asked['engine'] })}
          >
            <option value="perps">perpetuals (margin)</option>
            <option value="spot">spot</option>
          </select>
        </label>
        <label>
          Token
          <select
            value={asked().symbol}
            onInput={(event) => change({ symbol: event.currentTarget.value })}
          >
            <For each={props.wallet.tokens}>
              {({ symbol }) => (
                <option value={symbol} selected={symbol === asked().symbol}>
                  {symbol}
                </option>
              )}
            </For>
          </select>
        </label>
        <label>
          Amount
          <input
            inputmode="decimal"
            autocomplete="off"
            value={asked().amount}
            onInput={(event) => change({ amount: event.currentTarget.value })}
          />
        </label>
        <p class="quiet">
          In the wallet: {inWallet()} {asked().symbol}
        </p>
        <p class="choices">
          <button type="submit" value="deposit" disabled={props.wallet.isBusy}>
            Deposit
          </button>
          <button type="submit" value="withdraw" disabled={props.wallet.isBusy}>
            Withdraw
          </button>
        </p>
      </form>
    </details>
  )
}
