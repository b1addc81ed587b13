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
    const asked = account()
    const found = asked === false ? undefined : await work('readKeys', null)
    if (asked !== account()) return
    setUnread(found === undefined && asked !== false)
    if (found !== undefined || asked === false) setView(found)
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
  const act: typeof work = async (...asked) => {
    const answer = await work(...asked)
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
        <h2>Keys</h2>
      </div>
      <NeedsAccount {...props} what="Keys belong to an account.">
        <PageProblem
          problem={problem()}
          isUnread={isUnread()}
          isBusy={isBusy()}
          again={() => void read()}
        />
        <Show when={view()} fallback={isUnread() ? undefined : <p class="empty">Reading …</p>}>
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

const COLUMNS = ['Name', 'Begins with', 'May', 'From', 'Made', 'Ends', 'Last used']

const ApiKeys = (props: ApiKeysProps) => (
  <>
    <div class="part-head">
      <h3 class="part">API keys ({props.keys.length})</h3>
      <ExportButton
        ask={props.askWorker}
        name="API keys"
        columns={COLUMNS}
        rows={() =>
          props.keys.map((key) => [
            ...[key.name, `${key.prefix}…`, key.scopes, key.networks],
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
            title: 'Revoke all API keys?',
            text: 'All programs of this account and this page lose access immediately: enable trading again. Open orders stay.',
            yes: 'Revoke all',
            run: props.revokeAll,
          })
        }
      >
        Revoke all
      </button>
    </div>
    <section class="list cells texts" tabindex={0} aria-label="API keys">
      <table>
        <caption class="hidden">API keys of this account</caption>
        <thead>
          <tr>
            <For each={COLUMNS}>{(title) => <th scope="col">{title}</th>}</For>
            <th scope="col">
              <span class="hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.keys}>
            {(key) => (
              <tr>
                <td>
                  {key.name} <Show when={key.isCurrent}>{<span class="kind">this page</span>}</Show>
                </td>
                <td class="mono">{key.prefix}…</td>
                <td>{key.scopes}</td>
                <td>{key.networks}</td>
                <td>{key.created}</td>
                <td>{key.expires}</td>
                <td>{key.lastUsed}</td>
                <td>
                  <Show when={!key.isCurrent} fallback="ends when you sign out">
                    <button
                      type="button"
                      class="framed"
                      disabled={props.isBusy}
                      aria-label={`Revoke ${key.name}, ${key.prefix}`}
                      onClick={() =>
                        props.ask({
                          title: `Revoke ${key.name} (${key.prefix}…)?`,
                          text: 'It loses access immediately, on sockets too. This cannot be undone.',
                          yes: 'Revoke key',
                          run: () => props.revoke(key.prefix),
                        })
                      }
                    >
                      Revoke
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
    <h3 class="part">Signing key of this page</h3>
    <p class="quiet">
      It signs orders and cancels for the wallet and cannot withdraw. It is registered in the
      contract; this browser stores it encrypted.
    </p>
    <dl class="facts-list list">
      <div>
        <dt>Address</dt>
        <dd class="mono">{props.view.signingKey.address}</dd>
      </div>
      <div>
        <dt>Until</dt>
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
            title: 'Revoke the signing key of this page?',
            text: 'The wallet sends this to the contract. The key can never sign again; open orders stay. To trade here again, enable trading.',
            yes: 'Revoke key',
            run: props.revoke,
          })
        }
      >
        Revoke the signing key
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

const CANCELLER_COLUMNS = ['Who', 'Address', 'Until']

const Cancellers = (props: CancellersProps) => (
  <>
    <div class="part-head">
      <h3 class="part">Cancellers ({props.view.cancellers.length})</h3>
      <ExportButton
        ask={props.askWorker}
        name="Cancellers"
        columns={CANCELLER_COLUMNS}
        rows={() => props.view.cancellers.map(({ who, address, until }) => [who, address, until])}
      />
      <Show when={props.view.hasVenueCanceller}>
        <button type="button" class="framed" disabled={props.isBusy} onClick={() => props.allow()}>
          {props.view.isVenueAllowed ? 'Allow the venue for longer' : 'Let the venue cancel'}
        </button>
      </Show>
    </div>
    <p class="quiet">
      They can cancel orders and nothing else. Unless the venue is one of them, each cancel needs a
      signature.
    </p>
    <section class="list cells texts" tabindex={0} aria-label="Cancellers">
      <table>
        <caption class="hidden">Cancellers of this account</caption>
        <thead>
          <tr>
            <For each={CANCELLER_COLUMNS}>{(title) => <th scope="col">{title}</th>}</For>
            <th scope="col">
              <span class="hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <For each={props.view.cancellers}>
            {(one) => (
              <tr>
                <td>{one.who}</td>
                <td class="mono">{one.address}</td>
                <td>{one.until}</td>
                <td>
                  <button
                    type="button"
                    class="framed"
                    disabled={props.isBusy}
                    aria-label={`Revoke ${one.who}, ${one.address}`}
                    onClick={() =>
                      props.ask({
                        title: `Revoke ${one.who}?`,
                        text: 'The wallet sends this to the contract. Each cancel then needs a signature, and cancel on disconnect stops working.',
                        yes: 'Revoke',
                        run: () => props.revoke(one.address),
                      })
                    }
                  >
                    Revoke
                  </button>
                </td>
              </tr>
            )}
          </For>
        </tbody>
      </table>
      <Show when={props.view.cancellers.length === 0}>
        <p class="quiet">Nobody may.</p>
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
          No
        </button>
      </p>
    </dialog>
  )
}
