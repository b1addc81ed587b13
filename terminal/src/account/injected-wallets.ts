// Finds the wallets that the browser has (EIP-6963), and asks the chosen one for the worker.
import { type Accessor, createSignal } from 'solid-js'
import type { Venue } from '../venue.ts'
import type { WalletAnswered, WalletAsked, Words } from '../worker/wallet/wallet-protocol.ts'

type Provider = Readonly<{
  request: (asked: Readonly<{ method: string; params: readonly unknown[] }>) => Promise<unknown>
  on?: (event: string, listener: () => void) => void
}>
type Announced = Readonly<{
  info: Readonly<{ uuid: string; name: string }>
  provider: Provider
}>

/** Of EIP-1193: the person said no; nothing is connected; anything else. */
const REFUSED = 4001
const DISCONNECTED = 4900
const INTERNAL = -32_603
/** A wallet that announces nothing stands here alone. */
const UNNAMED = 'Browser wallet'

export type InjectedWallets = Readonly<{
  /** Names of those that were found. */
  names: Accessor<readonly string[]>
  /** What the person is to agree to, before the wallet is asked. */
  agreeing: Accessor<Words | undefined>
  agree: (isAgreed: boolean) => void
}>

/** Looks for wallets, and has the one that the worker uses answer it. */
export function findWallets(venue: Venue): InjectedWallets {
  const [found, setFound] = createSignal<readonly Announced[]>(unannounced())
  const [agreeing, setAgreeing] = createSignal<Words>()
  let decide: (isAgreed: boolean) => void = () => {}
  window.addEventListener('eip6963:announceProvider', (event) => {
    const { detail } = event as CustomEvent<Announced>
    const known = found().filter(({ info }) => info.name !== detail.info.name)
    setFound([...known.filter(({ info }) => info.name !== UNNAMED), detail])
    detail.provider.on?.('accountsChanged', () => {
      if (venue.shown.wallet.name === detail.info.name) void venue.ask('walletChanged', null)
    })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  const agreed = (words: Words) =>
    new Promise<boolean>((resolve) => {
      decide = resolve
      setAgreeing(words)
    }).finally(() => setAgreeing(undefined))
  venue.onWallet(async (asked) => {
    const wallet = found().find(({ info }) => info.name === asked.wallet)
    const { id, words } = asked
    if (wallet === undefined) return refusal(id, DISCONNECTED, `${asked.wallet} is not here`)
    if (words !== undefined && !(await agreed(words)))
      return refusal(id, REFUSED, 'you did not agree')
    return ask(wallet.provider, asked)
  })
  return {
    names: () => found().map(({ info }) => info.name),
    agreeing,
    agree: (isAgreed) => decide(isAgreed),
  }
}

function unannounced(): readonly Announced[] {
  const { ethereum } = window as { ethereum?: Provider }
  return ethereum === undefined ? [] : [{ info: { uuid: '', name: UNNAMED }, provider: ethereum }]
}

async function ask(
  provider: Provider,
  { id, method, params }: WalletAsked,
): Promise<WalletAnswered> {
  try {
    return { kind: 'wallet', id, result: await provider.request({ method, params }) }
  } catch (error) {
    const { code = INTERNAL, message = 'the wallet refuses' } = error as Partial<
      Readonly<{ code: number; message: string }>
    >
    return refusal(id, code, message)
  }
}

const refusal = (id: number, code: number, message: string): WalletAnswered => ({
  ...{ kind: 'wallet', id, code, message },
})
