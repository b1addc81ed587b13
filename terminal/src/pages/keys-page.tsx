// What may act for the account: API keys, the signing key of this page, and who may cancel.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { createWorking } from '../account/working.ts'
import { ExportButton } from '../tables/export-button.tsx'
import type { Venue } from '../venue.ts'
import type { KeyForm, KeyRow, KeysView, NewKey } from '../worker/pages/page-protocol.ts'
import { AskFirst, type Question } from './ask-first.tsx'
import { KeyMaker } from './key-maker.tsx'
import { NeedsAccount } from './needs-account.tsx'
import { PageProblem } from './page-problem.tsx'
import './pages.css'
import './second.css'
import type { PageProps } from './page-props.ts'

export function KeysPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [view, setView] = createSignal<KeysView>()
  const [isUnread, setUnread] = createSignal(false)
  // The secret is here until it is put away, or the page is left; nowhere else.
  const [made, setMade] = createSignal<NewKey>()
  const [question, setQuestion] = createSignal<Question>()
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
  // Not for what ends this page's own keys: it ends the session, and nothing is left to read.
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
      <NeedsAccount {...props} what="Keys are those of an account.">
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

type Ask = (question: Question) => void

type ApiKeysProps = Readonly<{
  askWorker: Venue['ask']
  keys: readonly KeyRow[]
  isBusy: boolean
  ask: Ask
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
            text: 'Every program of this account loses its access at once, and so does this page: trading is to be enabled again. Orders that rest stay.',
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
                          text: 'Whoever uses it loses access at once, on sockets as well. It can not be taken back.',
                          yes: 'Revoke it',
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
  ask: Ask
  revoke: () => void
}>

const SigningKey = (props: SigningKeyProps) => (
  <>
    <h3 class="part">Signing key of this page</h3>
    <p class="quiet">
      It signs orders and cancels in place of the wallet, and cannot withdraw. The contract knows
      it; this browser keeps it sealed.
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
            text: 'The wallet sends that to the contract. The key never signs again; orders that rest stay. To trade here again, trading is to be enabled anew.',
            yes: 'Revoke it',
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
  ask: Ask
  allow: () => void
  revoke: (address: string) => void
}>

const CANCELLER_COLUMNS = ['Who', 'Address', 'Until']

const Cancellers = (props: CancellersProps) => (
  <>
    <div class="part-head">
      <h3 class="part">Who may cancel ({props.view.cancellers.length})</h3>
      <ExportButton
        ask={props.askWorker}
        name="Who may cancel"
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
      They can take orders out of the book and nothing else. Without the venue among them each
      cancel is signed.
    </p>
    <section class="list cells texts" tabindex={0} aria-label="Who may cancel">
      <table>
        <caption class="hidden">Who may cancel orders of this account</caption>
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
                        title: `Let ${one.who} cancel no more?`,
                        text: 'The wallet sends that to the contract. Cancels then need a signature each, and the switch for when a program dies no longer works.',
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
