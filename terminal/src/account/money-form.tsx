// Money in and out: the wallet sends both to the chain itself. What would not work is said before.
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import type { Ask } from '../asking.ts'
import { stoppedMargin } from '../market/market-state.ts'
import type { MoneyForm as Asked, MoneyCheck } from '../worker/account/account-protocol.ts'
import type { MarketRow } from '../worker/protocol.ts'
import type { WalletView } from '../worker/wallet/wallet-protocol.ts'
import type { createWorking } from './working.ts'

type Props = Readonly<{
  wallet: WalletView
  /** The sub-account that acts; empty: the wallet's own account. */
  acting: string
  markets: readonly MarketRow[]
  ask: Ask
  work: ReturnType<typeof createWorking>['work']
}>

const NOTHING: MoneyCheck = {
  deposit: '',
  withdraw: '',
  depositMax: '',
  withdrawMax: '',
  limit: '',
}
/** Somebody who types is asked about once they pause. */
const PAUSE_MS = 250

export function MoneyForm(props: Props) {
  const [asked, setAsked] = createSignal<Asked>({ engine: 'perps', symbol: 'USDC', amount: '' })
  const [isOpen, setOpen] = createSignal(false)
  const change = (part: Partial<Asked>) => setAsked((before) => ({ ...before, ...part }))
  const check = createCheck(props, asked, isOpen)
  /** Pushed with the markets: it changes while the form is open. */
  const stopped = () => (asked().engine === 'perps' ? stoppedMargin(props.markets) : '')
  const withdrawProblem = () => stopped() || check().withdraw
  const isUsable = (problem: string) =>
    !props.wallet.isBusy && asked().amount.trim() !== '' && problem === ''
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Deposit or withdraw</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const kind =
            event.submitter?.getAttribute('value') === 'withdraw' ? 'withdraw' : 'deposit'
          void props.work(kind, asked()).then(() => change({ amount: '' }))
        }}
      >
        <Show when={props.acting}>
          <p>
            ▲ Into and out of Main, not the sub-account that trades now: the wallet moves money of
            its own account alone. Margin goes from one to the other on the page Sub-accounts.
          </p>
        </Show>
        <div class="pair">
          <label>
            For
            <select
              value={asked().engine}
              onInput={(event) => change({ engine: event.currentTarget.value as Asked['engine'] })}
            >
              <option value="perps">perpetuals</option>
              <option value="spot">spot</option>
            </select>
          </label>
          <TokenSelect wallet={props.wallet} symbol={asked().symbol} choose={change} />
        </div>
        <label>
          Amount
          <input
            inputmode="decimal"
            autocomplete="off"
            aria-describedby="money-said"
            value={asked().amount}
            onInput={(event) => change({ amount: event.currentTarget.value })}
          />
        </label>
        <Most
          name="In the wallet"
          most={check().depositMax}
          symbol={asked().symbol}
          take={change}
        />
        <Most
          name="Free to leave"
          most={check().withdrawMax}
          symbol={asked().symbol}
          take={change}
        />
        <Said check={{ ...check(), withdraw: withdrawProblem() }} />
        <p class="choices">
          <button type="submit" value="deposit" disabled={!isUsable(check().deposit)}>
            {props.acting === '' ? 'Deposit' : 'Deposit to Main'}
          </button>
          <button type="submit" value="withdraw" disabled={!isUsable(withdrawProblem())}>
            {props.acting === '' ? 'Withdraw' : 'Withdraw from Main'}
          </button>
        </p>
      </form>
    </details>
  )
}

type Change = (part: Partial<Asked>) => void

const TokenSelect = (props: Readonly<{ wallet: WalletView; symbol: string; choose: Change }>) => (
  <label>
    Token
    <select
      value={props.symbol}
      onInput={(event) => props.choose({ symbol: event.currentTarget.value })}
    >
      <For each={props.wallet.tokens}>
        {({ symbol }) => (
          <option value={symbol} selected={symbol === props.symbol}>
            {symbol}
          </option>
        )}
      </For>
    </select>
  </label>
)

/** All that there is, which one click takes. */
const Most = (props: Readonly<{ name: string; most: string; symbol: string; take: Change }>) => (
  <p class="most quiet">
    <span>{props.name}</span>
    <Show when={props.most} fallback={<span>–</span>}>
      <button
        type="button"
        aria-label={`${props.name}: take ${props.most} ${props.symbol}`}
        onClick={() => props.take({ amount: props.most })}
      >
        {props.most} {props.symbol}
      </button>
    </Show>
  </p>
)

const Said = (props: Readonly<{ check: MoneyCheck }>) => (
  <div id="money-said" class="quiet" aria-live="polite">
    <Show when={props.check.deposit}>
      <p>▲ No deposit: {props.check.deposit}.</p>
    </Show>
    <Show when={props.check.withdraw}>
      <p>▲ No withdrawal: {props.check.withdraw}.</p>
    </Show>
    <Show when={props.check.limit}>
      <p>{props.check.limit}</p>
    </Show>
  </div>
)

/** What the worker says of the form as it stands; an answer to an older form counts for nothing. */
function createCheck(props: Props, asked: () => Asked, isOpen: () => boolean): () => MoneyCheck {
  const [check, setCheck] = createSignal<MoneyCheck>(NOTHING)
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const read = async (form: Asked) => {
    newest += 1
    const mine = newest
    const found = await props.ask('checkMoney', form).catch(() => undefined)
    if (found !== undefined && mine === newest) setCheck(found)
  }
  createEffect(
    on([asked, isOpen, () => props.wallet.isBusy], ([form, open, isBusy]) => {
      clearTimeout(timer)
      if (open && !isBusy) timer = setTimeout(() => void read(form), PAUSE_MS)
    }),
  )
  return check
}
