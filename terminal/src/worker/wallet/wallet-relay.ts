// Asks the browser's wallet, which only the page can reach. A wallet may refuse, be busy with
// another question, or never answer: each is an error that says so, and nothing waits for ever.
import type { WalletAnswered, WalletAsked, Words } from './wallet-protocol.ts'

/** A request of EIP-1193 that was refused, with its code. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Of EIP-1193 and EIP-1474. */
export const REFUSED = 4001
export const DISCONNECTED = 4900
const UNAUTHORIZED = 4100
const BUSY = -32_002

/** What no person has to answer has so long. */
const SILENT_MS_MAX = 15_000
/** After so long the page says that the wallet waits for its person. */
const PERSON_MS = 6_000
const MESSAGE_MAX = 200
/** Methods that a wallet asks its person about. */
const ASKS_PERSON: ReadonlySet<string> = new Set([
  ...['eth_requestAccounts', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_sendCalls'],
  ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
])

type Waiting = Readonly<{
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  timer: ReturnType<typeof setTimeout>
  isSlow: boolean
}>
type Asked = readonly [method: string, params: readonly unknown[]]

export class WalletRelay {
  readonly #post: (asked: WalletAsked) => void
  readonly #waiting = new Map<number, Waiting>()
  #onSlow: (isSlow: boolean) => void = () => {}
  #id = 0

  constructor(post: (asked: WalletAsked) => void) {
    this.#post = post
  }

  /** Has a listener hear whether the wallet lets its person wait. */
  onSlow(listener: (isSlow: boolean) => void): void {
    this.#onSlow = listener
  }

  /** Asks the wallet of that id. With words: once the person has read them and agrees. */
  request(wallet: string, [method, params]: Asked, words?: Words): Promise<unknown> {
    const id = ++this.#id
    const result = new Promise<unknown>((resolve, reject) => {
      const timer = ASKS_PERSON.has(method)
        ? setTimeout(() => this.#slow(id), PERSON_MS)
        : setTimeout(() => this.#giveUp(id, 'the wallet does not answer'), SILENT_MS_MAX)
      this.#waiting.set(id, { resolve, reject, timer, isSlow: false })
    })
    this.#post({ id, wallet, method, params, words })
    return result
  }

  /** Takes the page's answer; one that comes after nobody waits for it is dropped. */
  take(answered: WalletAnswered): void {
    const waiting = this.#end(answered.id)
    if ('result' in answered) waiting?.resolve(answered.result)
    else waiting?.reject(new WalletError(answered.code, refusalText(answered)))
  }

  /** Waits no longer for what the wallet has not answered. */
  stopWaiting(): void {
    for (const [id, { isSlow }] of this.#waiting)
      if (isSlow)
        this.#giveUp(id, 'you stopped waiting for the wallet: it may still show its question')
  }

  #slow(id: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.set(id, { ...waiting, isSlow: true })
    this.#onSlow(true)
  }

  #giveUp(id: number, text: string): void {
    this.#end(id)?.reject(new WalletError(DISCONNECTED, text))
  }

  #end(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    clearTimeout(waiting?.timer)
    this.#waiting.delete(id)
    const isSlow = [...this.#waiting.values()].some((one) => one.isSlow)
    if (waiting?.isSlow === true && !isSlow) this.#onSlow(false)
    return waiting
  }
}

/** What a wallet's refusal means, in words; what is not known is the wallet's own text. */
function refusalText({ code, message }: Readonly<{ code: number; message: string }>): string {
  if (code === REFUSED) return 'you refused it in the wallet: nothing was signed or sent'
  if (code === BUSY) return 'the wallet has a question open already: open the wallet and answer it'
  if (code === UNAUTHORIZED)
    return 'the wallet does not let this page use the account: connect it again'
  return message.slice(0, MESSAGE_MAX)
}
