// Finds the browser's wallets (EIP-6963), and forwards the worker's requests to the chosen one.
import { type Accessor, createEffect, createSignal, on } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import {
  addWallet,
  isProvider,
  type Provider,
  readAnnounced,
  type WalletAnnouncement,
} from './announced-wallets.ts'
import * as text from './text.ts'
import type {
  RequestSummary,
  WalletAnswerMessage,
  WalletRequestMessage,
} from './wallet-protocol.ts'

/** EIP-1193 codes: rejected by the user; not connected; any other error. */
const REFUSED = 4001
const DISCONNECTED = 4900
const INTERNAL = -32_603
/** Id and name of a wallet that does not announce itself. */
const UNNAMED = { id: 'window.ethereum', name: text.browserWallet, icon: '' }
/** Time after the start of the page within which wallets announce themselves. */
const ANNOUNCED_MS = 3_000
const UNANNOUNCED_MS = 300
const LOOK_MS = 100
const EVENTS = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const

export type InjectedWallets = Readonly<{
  list: Accessor<readonly WalletAnnouncement[]>
  /** The description that the user must agree to before the wallet is asked. */
  agreeing: Accessor<RequestSummary | undefined>
  agree: (isAgreed: boolean) => void
}>

/** Searches for wallets, and connects the worker to the chosen one. */
export function findWallets(venue: Venue): InjectedWallets {
  const [wallets, setWallets] = createSignal<readonly WalletAnnouncement[]>([])
  const [agreeing, setAgreeing] = createSignal<RequestSummary>()
  let decide: (isAgreed: boolean) => void = () => {}
  const changed = () => void venue.ask('walletChanged', null).catch(() => {})
  const add = (wallet: WalletAnnouncement) => {
    const isNew = !wallets().some(({ provider }) => provider === wallet.provider)
    setWallets(addWallet(wallets(), wallet))
    if (!isNew) return
    const { id } = wallets().find(({ provider }) => provider === wallet.provider) ?? wallet
    for (const event of EVENTS)
      wallet.provider.on?.(event, () => {
        if (venue.shown.wallet.id === id) changed()
      })
  }
  const find = (id: string) => wallets().find((wallet) => wallet.id === id)
  listen(add, (provider) => wallets().some((wallet) => wallet.provider === provider))
  // The wallet of the last visit may have switched account or chain.
  createEffect(
    on(
      () => find(venue.shown.wallet.id)?.provider,
      (provider) => {
        if (provider !== undefined) changed()
      },
    ),
  )
  const agreed = (words: RequestSummary) =>
    new Promise<boolean>((resolve) => {
      decide = resolve
      setAgreeing(words)
    }).finally(() => setAgreeing(undefined))
  venue.onWallet(async (request) => {
    const { id, words } = request
    const wallet = await untilFound(() => find(request.wallet))
    if (wallet === undefined) return refusal(id, DISCONNECTED, text.walletGone)
    if (words !== undefined && !(await agreed(words))) return refusal(id, REFUSED, text.youDeclined)
    return ask(wallet.provider, request)
  })
  return { list: wallets, agreeing, agree: (isAgreed) => decide(isAgreed) }
}

function listen(
  add: (wallet: WalletAnnouncement) => void,
  has: (provider: Provider) => boolean,
): void {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const wallet = readAnnounced((event as CustomEvent<unknown>).detail)
    if (wallet !== undefined) add(wallet)
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const { ethereum } = window as { ethereum?: unknown }
  // It may be one of the announced wallets, or be announced later.
  const provider = ethereum
  if (!isProvider(provider)) return
  setTimeout(() => {
    if (!has(provider)) add({ ...UNNAMED, provider })
  }, UNANNOUNCED_MS)
}

async function untilFound(
  find: () => WalletAnnouncement | undefined,
): Promise<WalletAnnouncement | undefined> {
  const deadlineMs = performance.now() + ANNOUNCED_MS
  for (;;) {
    const wallet = find()
    if (wallet !== undefined || performance.now() > deadlineMs) return wallet
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

async function ask(
  provider: Provider,
  { id, method, params }: WalletRequestMessage,
): Promise<WalletAnswerMessage> {
  try {
    const result = await provider.request({ method, params })
    // Strips values that cannot be posted to the worker.
    return { kind: 'wallet', id, result: JSON.parse(JSON.stringify(result ?? null)) }
  } catch (error) {
    const { code, message } = (error ?? {}) as Readonly<{ code?: unknown; message?: unknown }>
    return refusal(
      id,
      typeof code === 'number' ? code : INTERNAL,
      typeof message === 'string' ? message : text.walletRefuses,
    )
  }
}

const refusal = (id: number, code: number, message: string): WalletAnswerMessage => ({
  ...{ kind: 'wallet', id, code, message },
})
