// Who trades: the account, what it asks the venue with, and the key that signs its orders.
import type { Rest, VenueSocket } from 'openvenue'
import type { Address, Signer, SigningVenue } from 'openvenue/signing'

/** Present once trading is enabled; what only looks needs none. */
export type Session = Readonly<{
  account: Address
  /** With the account's API key. */
  rest: Rest
  /** The same, without patience: whoever has to wait is shown for how long. */
  hasty: Rest
  /** Authenticated; closed at sign-out. */
  socket: VenueSocket
  venue: SigningVenue
  /**
   * Loads the signing key: it signs orders and cancels of `account`, and cannot withdraw. Its curve
   * is a good part of the worker, and of no use to who only looks.
   */
  signer: () => Promise<Signer>
  /** When that key ends: what is held for later has to fire before. Unix seconds. */
  keyExpirySeconds: number
}>

type Listener = (session: Session | undefined) => void

/** Holds the session that there is, and publishes each change of it. */
export class SessionHolder {
  #session: Session | undefined
  readonly #listeners: Listener[] = []

  get current(): Session | undefined {
    return this.#session
  }

  /** Returns the session; throws where trading is not enabled. */
  require(): Session {
    if (this.#session === undefined) throw new Error('connect a wallet and enable trading first')
    return this.#session
  }

  /** Begins a session, or ends the one that there is. */
  set(session: Session | undefined): void {
    this.#session?.socket.close()
    this.#session = session
    for (const listener of this.#listeners) listener(session)
  }

  /** Has a listener hear of each change, for as long as the worker runs. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener)
  }
}
