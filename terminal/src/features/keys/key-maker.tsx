// The form of a new API key, and its secret, shown once.
import { createSignal, For, Show } from 'solid-js'
import { KEY_HOURS, type KeyForm, type NewKey, SCOPES, type Scope } from './keys-protocol.ts'

type Props = Readonly<{
  isBusy: boolean
  make: (form: KeyForm) => Promise<boolean>
  made: NewKey | undefined
  putAway: () => void
}>

const HOURS: Readonly<Record<KeyForm['hours'], string>> = {
  '': 'until the key of this page ends',
  '1': '1 hour',
  '24': '1 day',
  '72': '3 days',
}
const MAY: Readonly<Record<Scope, string>> = {
  read: 'read balances, orders and results',
  trade: 'place and replace signed orders',
  cancel: 'cancel orders',
}

export function KeyMaker(props: Props) {
  const [scopes, setScopes] = createSignal<readonly Scope[]>(['read'])
  const turn = (scope: Scope, isOn: boolean) =>
    setScopes((before) => [...before.filter((one) => one !== scope), ...(isOn ? [scope] : [])])
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const asked: KeyForm = {
      name: `${data.get('name')}`,
      scopes: scopes(),
      networks: `${data.get('networks')}`,
      hours: `${data.get('hours')}` as KeyForm['hours'],
    }
    if (!(await props.make(asked))) return
    form.reset()
    // The browser has reset the checkbox, so the signal is set again.
    setScopes([])
    setScopes(['read'])
  }
  return (
    <>
      <Show when={props.made}>
        {(made) => <Secret made={made()} putAway={() => props.putAway()} />}
      </Show>
      <details class="maker">
        <summary>Create an API key</summary>
        <form
          class="line-form"
          onSubmit={(event) => {
            event.preventDefault()
            void submit(event.currentTarget)
          }}
        >
          <label>
            Name
            <input name="name" required maxlength="64" autocomplete="off" placeholder="my bot" />
          </label>
          <fieldset class="checks">
            <legend>It may</legend>
            <For each={SCOPES}>
              {(scope) => (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={scopes().includes(scope)}
                    onInput={(event) => turn(scope, event.currentTarget.checked)}
                  />
                  {MAY[scope]}
                </label>
              )}
            </For>
          </fieldset>
          <label>
            IP allowlist
            <input
              name="networks"
              autocomplete="off"
              spellcheck={false}
              placeholder="anywhere, or 10.0.0.0/8, 2001:db8::5"
            />
          </label>
          <label>
            Expires after
            <select name="hours">
              <For each={KEY_HOURS}>{(hours) => <option value={hours}>{HOURS[hours]}</option>}</For>
            </select>
          </label>
          <button type="submit" class="main-button" disabled={props.isBusy}>
            Create key
          </button>
        </form>
        <p class="quiet">
          Up to five keys per account: a new one replaces the oldest from a sign-in. Orders also
          need a signing key; no API key can withdraw.
        </p>
      </details>
    </>
  )
}

function Secret(props: Readonly<{ made: NewKey; putAway: () => void }>) {
  const [copied, setCopied] = createSignal('')
  const copy = async (what: string, text: string) => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setCopied(isCopied ? `✓ Copied the ${what}.` : '▲ Copying failed: select it.')
  }
  return (
    <section class="secret" aria-label="The new key">
      <h3>{props.made.name}: copy the secret now</h3>
      <p>It is shown only once and stored nowhere. Anyone who has it can use the key.</p>
      <For
        each={
          [
            ['key', props.made.key],
            ['secret', props.made.secret],
          ] as const
        }
      >
        {([what, text]) => (
          <p class="copied-line">
            <span>{what}</span>
            <code tabindex={0}>{text}</code>
            <button type="button" class="framed" onClick={() => void copy(what, text)}>
              Copy the {what}
            </button>
          </p>
        )}
      </For>
      <p role="status">{copied()}</p>
      <button type="button" class="main-button" onClick={() => props.putAway()}>
        I have saved it
      </button>
    </section>
  )
}
