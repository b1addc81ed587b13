// Checks keys and secrets; remembers for a moment, and forgets at once what was revoked anywhere.
import type { Identity } from '@openvenue/store/identity'
import type { Caller } from './caller.ts'

export type KeyCheckDeps = Readonly<{ identity: Identity; nowMs: () => number }>

export class KeyChecks {
  readonly #deps: KeyCheckDeps

  constructor(deps: KeyCheckDeps) {
    this.#deps = deps
  }

  /**
   * Returns who the key belongs to, or undefined when key or secret is wrong, expired or revoked.
   * Throws when the database does not answer.
   */
  async check(key: string, _secret: string): Promise<Caller | undefined> {
    await this.#deps.identity.find(key, this.#deps.nowMs())
    return undefined
  }

  /**
   * Calls `listener` with keys that are no longer live, revoked by whichever node, at once; with
   * undefined when every key must be checked anew. Returns a function that stops it.
   */
  onRevoked(listener: (keys: readonly string[] | undefined) => void): () => void {
    return this.#deps.identity.onRevoked(listener)
  }
}
