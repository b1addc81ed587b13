// The form of a new API key, and its secret, shown once.
import { createSignal, For, Show } from 'solid-js'
import { KEY_HOURS, type KeyForm, type KeyScope, type NewKey, SCOPES } from './keys-protocol.ts'
import * as text from './text.ts'

type Props = Readonly<{
  isBusy: boolean
  make: (form: KeyForm) => Promise<boolean>
  made: NewKey | undefined
  putAway: () => void
}>

export function KeyMaker(props: Props) {
  const [scopes, setScopes] = createSignal<readonly KeyScope[]>(['read'])
  const turnScope = (scope: KeyScope, isOn: boolean) =>
    setScopes((before) => [...before.filter((other) => other !== scope), ...(isOn ? [scope] : [])])
  const submit = async (form: HTMLFormElement) => {
    const data = new FormData(form)
    const keyForm: KeyForm = {
      name: `${data.get('name')}`,
      scopes: scopes(),
      networks: `${data.get('networks')}`,
      hours: `${data.get('hours')}` as KeyForm['hours'],
    }
    if (!(await props.make(keyForm))) return
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
        <summary>{text.createApiKey}</summary>
        <form
          class="line-form"
          onSubmit={(event) => {
            event.preventDefault()
            void submit(event.currentTarget)
          }}
        >
          <label>
            {text.name}
            <input
              name="name"
              required
              maxlength="64"
              autocomplete="off"
              placeholder={text.nameHint}
            />
          </label>
          <fieldset class="checks">
            <legend>{text.permissions}</legend>
            <For each={SCOPES}>
              {(scope) => (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={scopes().includes(scope)}
                    onInput={(event) => turnScope(scope, event.currentTarget.checked)}
                  />
                  {text.scopeDetails[scope]}
                </label>
              )}
            </For>
          </fieldset>
          <label>
            {text.addresses}
            <input
              name="networks"
              autocomplete="off"
              spellcheck={false}
              placeholder={text.addressesHint}
            />
          </label>
          <label>
            {text.expiresAfter}
            <select name="hours">
              <For each={KEY_HOURS}>
                {(hours) => <option value={hours}>{text.lifetimes[hours]}</option>}
              </For>
            </select>
          </label>
          <button type="submit" class="main-button" disabled={props.isBusy}>
            {text.createKey}
          </button>
        </form>
        <p class="quiet">{text.apiKeyTerms}</p>
      </details>
    </>
  )
}

function Secret(props: Readonly<{ made: NewKey; putAway: () => void }>) {
  const [copied, setCopied] = createSignal('')
  const copy = async (part: string, value: string) => {
    const isCopied = await navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    )
    setCopied(isCopied ? text.partCopied(part) : text.copyFailed)
  }
  return (
    <section class="secret" aria-label={text.newKey}>
      <h3>{text.copySecretNow(props.made.name)}</h3>
      <p>{text.secretTerms}</p>
      <For
        each={
          [
            [text.keyPart, props.made.key],
            [text.secretPart, props.made.secret],
          ] as const
        }
      >
        {([part, value]) => (
          <p class="copied-line">
            <span>{part}</span>
            <code tabindex={0}>{value}</code>
            <button type="button" class="framed" onClick={() => void copy(part, value)}>
              {text.copyPart(part)}
            </button>
          </p>
        )}
      </For>
      <p role="status">{copied()}</p>
      <button type="button" class="main-button" onClick={() => props.putAway()}>
        {text.secretSaved}
      </button>
    </section>
  )
}
