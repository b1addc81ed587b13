// The wallet's own account and its sub-accounts: opening, transfers, and selection.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import { NeedsAccount, PageProblem, type PageProps } from '../../page/secondary-page.tsx'
import { createWorking, type SendRequest } from '../../page/working.ts'
import { stoppedMargin } from '../market/market-state.ts'
import type { AccountRow } from './sub-accounts-protocol.ts'
import * as text from './text.ts'
import '../../page/pages.css'
import '../../page/second.css'

export function AccountsPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [rows, setRows] = createSignal<readonly AccountRow[]>([])
  const [isUnread, setUnread] = createSignal(false)
  const account = () =>
    props.venue.shown.wallet.isEnabled &&
    `${props.venue.shown.wallet.address}${props.venue.shown.acting}`
  const read = async () => {
    const owner = account()
    const answer = owner === false ? [] : await work('readAccounts', null)
    if (owner !== account()) return
    setUnread(answer === undefined)
    if (answer !== undefined) setRows(answer)
  }
  createEffect(on(account, () => void read()))
  const act: SendRequest = async (...request) => {
    const answer = await work(...request)
    if (answer !== undefined) await read()
    return answer
  }
  /** Shows only the last step once all are done. */
  const steps = () => {
    const all = props.venue.shown.wallet.steps
    return all.every(({ state }) => state === 'done') ? all.slice(-1) : all
  }
  const isWaiting = () => isBusy() || props.venue.shown.wallet.isBusy
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>{text.subAccounts}</h2>
        <Show when={rows().length > 0}>
          <ExportButton
            ask={props.venue.ask}
            name={text.subAccounts}
            columns={text.columns}
            rows={() => rows().map(({ name, address, equity }) => [name, address, equity])}
          />
          <button
            type="button"
            class="framed"
            disabled={isWaiting()}
            onClick={() => void act('openSubAccount', null)}
          >
            {text.openSubAccount}
          </button>
        </Show>
      </div>
      <p class="quiet">{text.explanation}</p>
      <NeedsAccount {...props} reason={text.needsWallet}>
        <PageProblem
          problem={problem()}
          isUnread={isUnread()}
          isBusy={isBusy()}
          again={() => void read()}
        />
        <Rows
          rows={rows()}
          isUnread={isUnread()}
          isBusy={isWaiting()}
          actAs={(address) => void act('actAs', { address })}
        />
        <Show when={rows().length > 1}>
          <MoveForm
            rows={rows()}
            isBusy={isWaiting()}
            stopped={stoppedMargin(props.venue.shown.markets)}
            work={act}
          />
        </Show>
        <ol class="steps" aria-live="polite">
          <For each={steps()}>
            {(step) => (
              <li classList={{ now: step.state === 'now', failed: step.state === 'failed' }}>
                {step.text} <span class="quiet">({step.state})</span>
              </li>
            )}
          </For>
        </ol>
      </NeedsAccount>
    </main>
  )
}

type RowsProps = Readonly<{
  rows: readonly AccountRow[]
  isUnread: boolean
  isBusy: boolean
  actAs: (address: string) => void
}>

const Rows = (props: RowsProps) => (
  <section class="list accounts" tabindex={0} aria-label={text.accounts}>
    <table>
      <caption class="hidden">{text.accountsCaption}</caption>
      <thead>
        <tr>
          <For each={text.columns}>{(title) => <th scope="col">{title}</th>}</For>
          <th scope="col">{text.selection}</th>
        </tr>
      </thead>
      <tbody>
        <For each={props.rows} fallback={<EmptyRow isUnread={props.isUnread} />}>
          {(row) => (
            <tr>
              <td>{row.name}</td>
              <td class="mono" title={row.address}>
                {row.address.slice(0, 10)}…{row.address.slice(-6)}
              </td>
              <td>{row.equity}</td>
              <td>
                <Show when={!row.isActing} fallback={<span class="good">{text.selected}</span>}>
                  <button
                    type="button"
                    class="framed"
                    disabled={props.isBusy}
                    onClick={() => props.actAs(row.address)}
                  >
                    {text.switchTo(row.name)}
                  </button>
                </Show>
              </td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  </section>
)

const EmptyRow = (props: Readonly<{ isUnread: boolean }>) => (
  <tr>
    <td colspan="4">{props.isUnread ? text.notLoaded : text.loading}</td>
  </tr>
)

type MoveProps = Readonly<{
  rows: readonly AccountRow[]
  isBusy: boolean
  /** Why margin cannot be moved; empty if it can. */
  stopped: string
  work: SendRequest
}>

function MoveForm(props: MoveProps) {
  const [sub, setSub] = createSignal('')
  const [isBack, setBack] = createSignal(false)
  const [amount, setAmount] = createSignal('')
  const subs = () => props.rows.filter(({ isMain }) => !isMain)
  const chosen = () => subs().find(({ address }) => address === sub()) ?? subs()[0]
  const source = () => (isBack() ? chosen() : props.rows.find(({ isMain }) => isMain))
  return (
    <form
      class="line-form"
      onSubmit={async (event) => {
        event.preventDefault()
        const move = { sub: chosen()?.address ?? '', isBack: isBack(), amount: amount() }
        if ((await props.work('moveMoney', move)) === null) setAmount('')
      }}
    >
      <h3 class="part">{text.transferMargin}</h3>
      <label>
        {text.direction}
        <select onInput={(event) => setBack(event.currentTarget.value === 'back')}>
          <option value="to">{text.fromMain}</option>
          <option value="back">{text.toMain}</option>
        </select>
      </label>
      <label>
        {text.subAccount}
        <select onInput={(event) => setSub(event.currentTarget.value)}>
          <For each={subs()}>
            {({ address, name }) => (
              <option value={address} selected={address === chosen()?.address}>
                {name}
              </option>
            )}
          </For>
        </select>
      </label>
      <label>
        {text.amount}
        <input
          inputmode="decimal"
          autocomplete="off"
          value={amount()}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <button
        type="button"
        class="framed"
        disabled={(source()?.movable ?? '') === ''}
        onClick={() => setAmount(source()?.movable ?? '')}
      >
        {text.allAvailable}
      </button>
      <button type="submit" class="main-button" disabled={props.isBusy || props.stopped !== ''}>
        {text.transfer}
      </button>
      <Show when={props.stopped}>
        <p class="quiet" role="status">
          {text.noTransfers(props.stopped)}
        </p>
      </Show>
    </form>
  )
}
