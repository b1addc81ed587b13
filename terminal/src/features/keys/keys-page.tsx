// Keys that can act for the account: API keys, the signing key of this page, and cancellers.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { ExportButton } from '../../page/export-button.tsx'
import { NeedsAccount, PageProblem, type PageProps } from '../../page/secondary-page.tsx'
import type { Venue } from '../../page/venue.ts'
import { createWorking } from '../../page/working.ts'
import { KeyMaker } from './key-maker.tsx'
import type { KeyForm, KeyRow, KeysView, NewKey } from './keys-protocol.ts'
import '../../page/pages.css'
import '../../page/second.css'
import * as text from './text.ts'

export function KeysPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [view, setView] = createSignal<KeysView>()
  const [isUnread, setUnread] = createSignal(false)
  // The secret is kept only here, until it is dismissed or the page is left.
  const [made, setMade] = createSignal<NewKey>()
  const [question, setQuestion] = createSignal<KeyConfirmation>()
  const account = () =>
    props.venue.shown.wallet.isEnabled &&
    `${props.venue.shown.wallet.address}${props.venue.shown.acting}`
  const read = async () => {
    const reader = account()
    const keys = reader === false ? undefined : await work('readKeys', null)
    if (reader !== account()) return
    setUnread(keys === undefined && reader !== false)
    if (keys !== undefined || reader === false) setView(keys)
  }
  createEffect(
    on(account, () => {
      setMade(undefined)
      setView(undefined)
      void read()
    }),
  )
  // Not used for revoking this page's own keys: that ends the session, so nothing can be read
  // after.
  const act: typeof work = async (...request) => {
    const answer = await work(...request)
    if (answer !== undefined) await read()
    return answer
  }
  const make = async (form: KeyForm): Promise<boolean> => {
    const answer = await act('makeKey', form)
    if (answer !== undefined) setMade(answer)
    return answer !== undefined
  }
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>{text.title}</h2>
      </div>
      <NeedsAccount {...props} reason={text.needsAccount}>
        <PageProblem
          problem={problem()}
          isUnread={isUnread()}
          isBusy={isBusy()}
          again={() => void read()}
        />
        <Show when={view()} fallback={isUnread() ? undefined : <p class="empty">{text.loading}</p>}>
          {(shown) => (
            <>
              <ApiKeys
                {...{ askWorker: props.venue.ask, keys: shown().keys }}
                isBusy={isBusy()}
                ask={setQuestion}
                revoke={(prefix) => void act('revokeKey', { prefix })}
                revokeAll={() => void work('revokeAllKeys', null)}
              />
              <KeyMaker
                isBusy={isBusy()}
                make={make}
                made={made()}
                putAway={() => setMade(undefined)}
              />
              <SigningKey
                view={shown()}
                isBusy={isBusy() || props.venue.shown.wallet.isBusy}
                ask={setQuestion}
                revoke={() => void work('revokeSigningKey', null)}
              />
              <Cancellers
                {...{ askWorker: props.venue.ask, view: shown() }}
                isBusy={isBusy() || props.venue.shown.wallet.isBusy}
                ask={setQuestion}
                allow={() => void act('allowVenue', null)}
                revoke={(address) => void act('revokeCanceller', { address })}
              />
            </>
          )}
        </Show>
      </NeedsAccount>
      <AskFirst question={question()} close={() => setQuestion(undefined)} />
    </main>
  )
}

type AskConfirmation = (question: KeyConfirmation) => void

type ApiKeysProps = Readonly<{
  askWorker: Venue['ask']
  keys: readonly KeyRow[]
  isBusy: boolean
  ask: AskConfirmation
  revoke: (prefix: string) => void
  revokeAll: () => void
}>

const ApiKeys = (props: ApiKeysProps) => (
  <>
    <div class="part-head">
      <h3 class="part">{text.apiKeysCount(props.keys.length)}</h3>
      <ExportButton
        ask={props.askWorker}
        name={text.apiKeys}
        columns={text.apiKeyColumns}
        rows={() =>
          props.keys.map((key) => [
            ...[key.name, text.keyPrefix(key.prefix), key.scopes, key.networks],
            ...[key.created, key.expires, key.lastUsed],
          ])
        }
      />
      <button
        type="button"
        class="framed"
        disabled={props.isBusy}
        onClick={() =>
          props.ask({
            title: text.revokeAllQuestion,
            text: text.revokeAllEffect,
            yes: text.revokeAll,
            run: props.revokeAll,
          })
        }
      >
        {text.revokeAll}
      </button>
    </div>
    <section class="list cells texts" tabindex={0} aria-label={text.apiKeys}>
      <table>
        <caption class="hidden">{text.apiKeysCaption}</caption>
        <thead>
          <tr>
            <For each={text.apiKeyColumns}>{(title) => <th scope="col">{title}</th>}</For>
            <th scope="col">
              <span class="hidden">{text.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.keys}>
            {(key) => (
              <tr>
                <td>
                  {key.name}{' '}
                  <Show when={key.isCurrent}>{<span class="kind">{text.currentKey}</span>}</Show>
                </td>
                <td class="mono">{text.keyPrefix(key.prefix)}</td>
                <td>{key.scopes}</td>
                <td>{key.networks}</td>
                <td>{key.created}</td>
                <td>{key.expires}</td>
                <td>{key.lastUsed}</td>
                <td>
                  <Show when={!key.isCurrent} fallback={text.endsWithSession}>
                    <button
                      type="button"
                      class="framed"
                      disabled={props.isBusy}
                      aria-label={text.revokeNamed(key.name, key.prefix)}
                      onClick={() =>
                        props.ask({
                          title: text.revokeNamedQuestion(key.name, key.prefix),
                          text: text.revokeEffect,
                          yes: text.revokeKey,
                          run: () => props.revoke(key.prefix),
                        })
                      }
                    >
                      {text.revoke}
                    </button>
                  </Show>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </section>
  </>
)

type SigningKeyProps = Readonly<{
  view: KeysView
  isBusy: boolean
  ask: AskConfirmation
  revoke: () => void
}>

const SigningKey = (props: SigningKeyProps) => (
  <>
    <h3 class="part">{text.signingKey}</h3>
    <p class="quiet">{text.signingKeyTerms}</p>
    <dl class="facts-list list">
      <div>
        <dt>{text.address}</dt>
        <dd class="mono">{props.view.signingKey.address}</dd>
      </div>
      <div>
        <dt>{text.expires}</dt>
        <dd>
          {props.view.signingKey.isLive ? '' : '▲ '}
          {props.view.signingKey.until}
        </dd>
      </div>
    </dl>
    <p>
      <button
        type="button"
        class="framed"
        disabled={props.isBusy}
        onClick={() =>
          props.ask({
            title: text.revokeSigningKeyQuestion,
            text: text.revokeSigningKeyEffect,
            yes: text.revokeKey,
            run: props.revoke,
          })
        }
      >
        {text.revokeSigningKey}
      </button>
    </p>
  </>
)

type CancellersProps = Readonly<{
  askWorker: Venue['ask']
  view: KeysView
  isBusy: boolean
  ask: AskConfirmation
  allow: () => void
  revoke: (address: string) => void
}>

const Cancellers = (props: CancellersProps) => (
  <>
    <div class="part-head">
      <h3 class="part">{text.cancellersCount(props.view.cancellers.length)}</h3>
      <ExportButton
        ask={props.askWorker}
        name={text.cancellers}
        columns={text.cancellerColumns}
        rows={() => props.view.cancellers.map(({ name, address, until }) => [name, address, until])}
      />
      <Show when={props.view.hasVenueCanceller}>
        <button type="button" class="framed" disabled={props.isBusy} onClick={() => props.allow()}>
          {props.view.isVenueAllowed ? text.extendVenue : text.allowVenue}
        </button>
      </Show>
    </div>
    <p class="quiet">{text.cancellerTerms}</p>
    <section class="list cells texts" tabindex={0} aria-label={text.cancellers}>
      <table>
        <caption class="hidden">{text.cancellersCaption}</caption>
        <thead>
          <tr>
            <For each={text.cancellerColumns}>{(title) => <th scope="col">{title}</th>}</For>
            <th scope="col">
              <span class="hidden">{text.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.view.cancellers}>
            {(canceller) => (
              <tr>
                <td>{canceller.name}</td>
                <td class="mono">{canceller.address}</td>
                <td>{canceller.until}</td>
                <td>
                  <button
                    type="button"
                    class="framed"
                    disabled={props.isBusy}
                    aria-label={text.revokeNamed(canceller.name, canceller.address)}
                    onClick={() =>
                      props.ask({
                        title: text.revokeCancellerQuestion(canceller.name),
                        text: text.revokeCancellerEffect,
                        yes: text.revoke,
                        run: () => props.revoke(canceller.address),
                      })
                    }
                  >
                    {text.revoke}
                  </button>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={props.view.cancellers.length === 0}>
        <p class="quiet">{text.noCancellers}</p>
      </Show>
    </section>
  </>
)

/** A confirmation dialog; `run` is called on agreement. */
type KeyConfirmation = Readonly<{ title: string; text: string; yes: string; run: () => void }>

function AskFirst(props: Readonly<{ question: KeyConfirmation | undefined; close: () => void }>) {
  let dialog: HTMLDialogElement | undefined
  createEffect(() => {
    if (props.question === undefined) dialog?.close()
    else dialog?.showModal()
  })
  return (
    <dialog
      ref={dialog}
      class="agree"
      aria-labelledby="ask-title"
      aria-describedby="ask-text"
      onClose={() => props.close()}
    >
      <h2 id="ask-title">{props.question?.title}</h2>
      <p id="ask-text">{props.question?.text}</p>
      <p class="choices">
        <button
          type="button"
          class="primary"
          onClick={() => {
            const { question } = props
            props.close()
            question?.run()
          }}
        >
          {props.question?.yes}
        </button>
        <button type="button" onClick={() => props.close()}>
          {text.cancel}
        </button>
      </p>
    </dialog>
  )
}
