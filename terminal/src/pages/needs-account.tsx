// What stands on a page of an account while there is none.
import { type JSX, Show } from 'solid-js'
import { isPlain } from '../shell/page-links.tsx'
import type { PageProps } from './page-props.ts'

type Props = PageProps & Readonly<{ what: string; children: JSX.Element }>

export const NeedsAccount = (props: Props) => (
  <Show
    when={props.venue.shown.wallet.isEnabled}
    fallback={
      <p class="empty">
        <Show
          when={props.venue.shown.wallet.kind !== 'loading'}
          fallback="Looking for your account …"
        >
          {props.what}{' '}
          <a
            href={props.navigation.hrefOf({ page: 'trade' })}
            onClick={(event) => {
              if (!isPlain(event)) return
              event.preventDefault()
              props.navigation.go({ page: 'trade' })
            }}
          >
            Connect a wallet and enable trading
          </a>{' '}
          first.
        </Show>
      </p>
    }
  >
    {props.children}
  </Show>
)
