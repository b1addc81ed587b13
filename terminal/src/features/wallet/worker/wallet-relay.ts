// Sends requests to the browser's wallet, which only the page can reach. A wallet may reject, be
// busy with another request, or never answer: each case is an error, and nothing waits
// indefinitely.
import * as text from '../text.ts'
import type {
  RequestSummary,
  WalletAnswerMessage,
  WalletRequestMessage,
} from '../wallet-protocol.ts'

/** A rejected EIP-1193 request, with its code. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Codes of EIP-1193 and EIP-1474. */
export const REFUSED = 4001
const DISCONNECTED = 4900
const UNAUTHORIZED = 4100
const BUSY = -32_002

/** Timeout of requests that need no answer from the user. */
const SILENT_MS_MAX = 15_000
/** Time after which the page shows that the wallet waits for the user. */
const PERSON_MS = 6_000
const MESSAGE_MAX = 200
/** Methods for which a wallet prompts the user. */
const ASKS_PERSON: ReadonlySet<string> = new Set([
  ...['eth_requestAccounts', 'eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_sendCalls'],
  ...['wallet_switchEthereumChain', 'wallet_addEthereumChain'],
])

type PendingCall = Readonly<{
  resolve: (result: unknown) => void
  reject: (error: Error) => void
  timer: ReturnType<typeof setTimeout>
  isSlow: boolean
}>
type WalletCall = readonly [method: string, params: readonly unknown[]]

export class WalletRelay {
  readonly #post: (request: WalletRequestMessage) => void
  readonly #waiting = new Map<number, PendingCall>()
  #onSlow: (isSlow: boolean) => void = () => {}
  #id = 0

  constructor(post: (request: WalletRequestMessage) => void) {
    this.#post = post
  }

  /** Registers a listener that learns whether the wallet waits for the user. */
  onSlow(listener: (isSlow: boolean) => void): void {
    this.#onSlow = listener
  }

  /** Sends a request to the wallet of that id. With a description: after the user agreed to it. */
  request(wallet: string, [method, params]: WalletCall, words?: RequestSummary): Promise<unknown> {
    const id = ++this.#id
    const result = new Promise<unknown>((resolve, reject) => {
      const timer = ASKS_PERSON.has(method)
        ? setTimeout(() => this.#slow(id), PERSON_MS)
        : setTimeout(() => this.#giveUp(id, text.walletSilent), SILENT_MS_MAX)
      this.#waiting.set(id, { resolve, reject, timer, isSlow: false })
    })
    this.#post({ id, wallet, method, params, words })
    return result
  }

  /** Takes the page's answer; an answer that is no longer awaited is dropped. */
  take(answered: WalletAnswerMessage): void {
    const waiting = this.#end(answered.id)
    if ('result' in answered) waiting?.resolve(answered.result)
    else waiting?.reject(new WalletError(answered.code, refusalText(answered)))
  }

  stopWaiting(): void {
    for (const [id, { isSlow }] of this.#waiting) if (isSlow) this.#giveUp(id, text.stoppedWaiting)
  }

  #slow(id: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.set(id, { ...waiting, isSlow: true })
    this.#onSlow(true)
  }

  #giveUp(id: number, reason: string): void {
    this.#end(id)?.reject(new WalletError(DISCONNECTED, reason))
  }

  #end(id: number): PendingCall | undefined {
    const waiting = this.#waiting.get(id)
    clearTimeout(waiting?.timer)
    this.#waiting.delete(id)
    const isSlow = [...this.#waiting.values()].some((call) => call.isSlow)
    if (waiting?.isSlow === true && !isSlow) this.#onSlow(false)
    return waiting
  }
}

/** Returns the meaning of a wallet's error; unknown codes keep the wallet's own message. */
function refusalText({ code, message }: Readonly<{ code: number; message: string }>): string {
  if (code === REFUSED) return text.rejectedInWallet
  if (code === BUSY) return text.walletBusy
  if (code === UNAUTHORIZED) return text.walletUnauthorized
  return message.slice(0, MESSAGE_MAX)
}
