// Deposits and withdrawals, which the wallet sends to the chain. Problems are shown beforehand.
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js'
import type { SendRequest } from '../../page/working.ts'
import type { Ask } from '../../protocol/asking.ts'
import type { MoneyForm as FormValues, MoneyCheck } from '../account/account-protocol.ts'
import type { MarketRow } from '../market/market-protocol.ts'
import { stoppedMargin } from '../market/market-state.ts'
import type { WalletView } from '../wallet/wallet-protocol.ts'
import * as text from './text.ts'

type Props = Readonly<{
  wallet: WalletView
  /** The selected sub-account; empty: the wallet's own account. */
  acting: string
  /** Available margin: a change may change what can be withdrawn. */
  free: string
  markets: readonly MarketRow[]
  ask: Ask
  work: SendRequest
}>

const NOTHING: MoneyCheck = {
  deposit: '',
  withdraw: '',
  inWallet: '',
  depositMax: '',
  depositLeft: '',
  withdrawMax: '',
  limit: '',
}
/** Pause in typing after which the amount is checked. */
const PAUSE_MS = 250
/** Interval at which caps and deposited totals are re-read while the form is open. */
const AGAIN_MS = 5_000

export function MoneyForm(props: Props) {
  const [values, setValues] = createSignal<FormValues>({
    engine: 'perps',
    symbol: 'USDC',
    amount: '',
  })
  const [isOpen, setOpen] = createSignal(false)
  const change = (part: Partial<FormValues>) => setValues((before) => ({ ...before, ...part }))
  const check = createCheck(props, values, isOpen)
  /** Pushed with the markets: it changes while the form is open. */
  const stopped = () => (values().engine === 'perps' ? stoppedMargin(props.markets) : '')
  const withdrawProblem = () => stopped() || check().withdraw
  const isUsable = (problem: string) =>
    !props.wallet.isBusy && values().amount.trim() !== '' && problem === ''
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.title}</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const kind =
            event.submitter?.getAttribute('value') === 'withdraw' ? 'withdraw' : 'deposit'
          void props.work(kind, values()).then(() => change({ amount: '' }))
        }}
      >
        <Show when={props.acting}>
          <p>{text.usesMain}</p>
        </Show>
        <div class="two">
          <label>
            {text.engine}
            <select
              value={values().engine}
              onInput={(event) =>
                change({ engine: event.currentTarget.value as FormValues['engine'] })
              }
            >
              <option value="perps">{text.perpetuals}</option>
              <option value="spot">{text.spot}</option>
            </select>
          </label>
          <TokenSelect wallet={props.wallet} symbol={values().symbol} choose={change} />
        </div>
        <label>
          {text.amount}
          <input
            inputmode="decimal"
            autocomplete="off"
            aria-describedby="money-problems"
            value={values().amount}
            onInput={(event) => change({ amount: event.currentTarget.value })}
          />
        </label>
        <AmountRows check={check()} symbol={values().symbol} take={change} />
        <Problems check={{ ...check(), withdraw: withdrawProblem() }} />
        <p class="choices">
          <button type="submit" value="deposit" disabled={!isUsable(check().deposit)}>
            {props.acting === '' ? text.deposit : text.depositToMain}
          </button>
          <button type="submit" value="withdraw" disabled={!isUsable(withdrawProblem())}>
            {props.acting === '' ? text.withdraw : text.withdrawFromMain}
          </button>
        </p>
      </form>
    </details>
  )
}

type FormChange = (part: Partial<FormValues>) => void

const TokenSelect = (
  props: Readonly<{ wallet: WalletView; symbol: string; choose: FormChange }>,
) => (
  <label>
    {text.token}
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

type AmountName = 'inWallet' | 'depositMax' | 'depositLeft' | 'withdrawMax'

/** Balances, and the room left under a cap. A click takes the maximum amount. */
const AmountRows = (props: Readonly<{ check: MoneyCheck; symbol: string; take: FormChange }>) => {
  const row = (name: string, has: AmountName, most: AmountName) => (
    <p class="most quiet">
      <span>{name}</span>
      <Show when={props.check[has]} fallback="–">
        <button
          type="button"
          aria-label={text.useAmount(
            name,
            `${props.check[has]} ${props.symbol}`,
            props.check[most],
          )}
          onClick={() => props.take({ amount: props.check[most] })}
        >
          {props.check[has]} {props.symbol}
        </button>
      </Show>
    </p>
  )
  return (
    <>
      {row(text.walletBalance, 'inWallet', 'depositMax')}
      <Show when={props.check.depositLeft}>
        {row(text.leftUnderCap, 'depositLeft', 'depositMax')}
      </Show>
      {row(text.withdrawable, 'withdrawMax', 'withdrawMax')}
    </>
  )
}

const Problems = (props: Readonly<{ check: MoneyCheck }>) => (
  <div id="money-problems" class="quiet" aria-live="polite">
    <Show when={props.check.deposit}>
      <p>{text.cannotDeposit(props.check.deposit)}</p>
    </Show>
    <Show when={props.check.withdraw}>
      <p>{text.cannotWithdraw(props.check.withdraw)}</p>
    </Show>
    <Show when={props.check.limit}>
      <p>{props.check.limit}</p>
    </Show>
  </div>
)

/** Checks the current form in the worker; answers to older forms are ignored. */
function createCheck(
  props: Props,
  values: () => FormValues,
  isOpen: () => boolean,
): () => MoneyCheck {
  const [check, setCheck] = createSignal<MoneyCheck>(NOTHING)
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))
  const read = (form: FormValues) => {
    const mine = ++newest
    props.ask('checkMoney', form).then(
      (result) => mine === newest && setCheck(result),
      () => {},
    )
  }
  createEffect(
    on([values, isOpen, () => props.wallet.isBusy, () => props.free], ([form, open, isBusy]) => {
      clearTimeout(timer)
      if (!open || isBusy) return
      const again = () => {
        if (!document.hidden) read(form)
        timer = setTimeout(again, AGAIN_MS)
      }
      timer = setTimeout(again, PAUSE_MS)
    }),
  )
  return check
}
