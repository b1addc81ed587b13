// Asks the browser's wallet, which only the page can reach.
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

type Waiting = Readonly<{ resolve: (result: unknown) => void; reject: (error: Error) => void }>

export class WalletRelay {
  readonly #post: (asked: WalletAsked) => void
  readonly #waiting = new Map<number, Waiting>()
  #id = 0

  constructor(post: (asked: WalletAsked) => void) {
    this.#post = post
  }

  /** Asks the wallet of that name. With words: once the person has read them and agrees. */
  request(
    wallet: string,
    [method, params]: readonly [string, readonly unknown[]],
    words?: Words,
  ): Promise<unknown> {
    const id = ++this.#id
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
    })
    this.#post({ id, wallet, method, params, words })
    return result
  }

  /** Takes the page's answer. */
  take(answered: WalletAnswered): void {
    const waiting = this.#waiting.get(answered.id)
    this.#waiting.delete(answered.id)
    if ('result' in answered) waiting?.resolve(answered.result)
    else waiting?.reject(new WalletError(answered.code, answered.message))
  }
}
