// The trading session: the account, its client of the venue, and its signing key.
import type { Rest, VenueSocket } from 'openvenue'
import type { Address, Signer, SigningVenue } from 'openvenue/signing'
import * as text from '../text.ts'

/** Present once trading is enabled; viewing needs none. */
export type Session = Readonly<{
  account: Address
  /** A client with the account's API key. */
  rest: Rest
  /** The same without retries: the user is shown how long to wait. */
  hasty: Rest
  /** Authenticated; closed at sign-out. */
  socket: VenueSocket
  venue: SigningVenue
  /**
   * Loads the signing key. It signs orders and cancels of `account`, and cannot withdraw. The
   * elliptic-curve code is a large part of the worker, and viewers do not need it.
   */
  signer: () => Promise<Signer>
  /** Expiry of the signing key; held orders must trigger before it. Unix seconds. */
  keyExpirySeconds: number
}>

type SessionListener = (session: Session | undefined) => void

/** Holds the current session, and publishes its changes. */
export class SessionHolder {
  #session: Session | undefined
  readonly #listeners: SessionListener[] = []

  get current(): Session | undefined {
    return this.#session
  }

  /** Returns the session; throws if trading is not enabled. */
  require(): Session {
    if (this.#session === undefined) throw new Error(text.enableTradingFirst)
    return this.#session
  }

  /** Starts a session, or ends the current one. */
  set(session: Session | undefined): void {
    this.#session?.socket.close()
    this.#session = session
    for (const listener of this.#listeners) listener(session)
  }

  /** Registers a listener of changes for the lifetime of the worker. */
  onChange(listener: SessionListener): void {
    this.#listeners.push(listener)
  }
}
