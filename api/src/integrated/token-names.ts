// Names tokens by the operator's token list, which may arrive after the host has started.
import { ConfigInvalid } from '@openvenue/runtime/environment'
import type { FastifyBaseLogger } from 'fastify'
import {
  type ListedToken,
  type ListSource,
  NO_TOKENS,
  readTokenList,
  type TokenList,
} from './token-list.ts'

/** Pause before a failed source is read again. */
const RETRY_MS = 60_000

export class TokenNames {
  #list = NO_TOKENS
  #version = 0

  /** Rises when the list changes. */
  get version(): number {
    return this.#version
  }

  /** Returns the list's entry for the token at an address (lower case). */
  find(address: string): ListedToken | undefined {
    return this.#list.get(address)
  }

  take(list: TokenList): void {
    this.#list = list
    this.#version += 1
  }
}

type NamingDeps = ListSource &
  Readonly<{
    names: TokenNames
    delay: (ms: number, signal: AbortSignal) => Promise<void>
    log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  }>

/** Reads a list file. Throws `ConfigInvalid` when it cannot be read or is not a token list. */
export async function readNames(deps: NamingDeps): Promise<void> {
  try {
    await takeNames(deps)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new ConfigInvalid(`TOKEN_LIST is invalid: got ${deps.source} (${reason})`, { cause })
  }
}

async function takeNames(deps: NamingDeps): Promise<void> {
  const list = await readTokenList(deps)
  deps.names.take(list)
  deps.log.info({ tokens: list.size }, 'token list read')
}

/** Reads a list at a URL, retrying until it succeeds or `signal` aborts. */
export async function awaitNames(deps: NamingDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await takeNames({ ...deps, signal })
    } catch (error) {
      if (signal.aborted) return
      deps.log.warn({ err: error }, 'token list unavailable; tokens keep their own names')
      await deps.delay(RETRY_MS, signal)
    }
  }
}
