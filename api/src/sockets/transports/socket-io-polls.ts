// Watches the requests of polling Socket.IO clients: counts their input before the library parses
// it, and tracks their unread answers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeRefusal } from '../../http/errors.ts'
import { Refusal } from '../../http/refusals.ts'
import { readRequestId } from '../../http/request-id.ts'
import type { Admission } from '../admission/admission.ts'
import { countUnits, type InboundBudget } from '../admission/inbound-budget.ts'
import { sessionId } from '../admission/paths.ts'

/** The character between two packets of a body. */
const SEPARATOR = '\u001e'
/** Packets of a body counted at once: excess is refused before the rest is parsed. */
const PACKETS_PER_TAKE = 64

type PollingSession = Readonly<{
  budget: InboundBudget
  answers: Set<ServerResponse>
  /** Called when the client sent too much. */
  exceeded: (retryAfterMs: number) => void
}>

export class Polls {
  readonly #admission: Admission
  readonly #sessions = new Map<string, PollingSession>()

  constructor(admission: Admission) {
    this.#admission = admission
  }

  open(id: string, address: string, exceeded: PollingSession['exceeded']): void {
    const budget = this.#admission.openBudget(address)
    this.#sessions.set(id, { budget, answers: new Set(), exceeded })
  }

  end(id: string): void {
    this.#sessions.delete(id)
  }

  /** Unread bytes of answers to the client. */
  unsentBytes(id: string): number {
    let bytes = 0
    for (const answer of this.#sessions.get(id)?.answers ?? []) bytes += answer.writableLength
    return bytes
  }

  /** Ends unread answers. */
  cut(id: string): void {
    for (const answer of this.#sessions.get(id)?.answers ?? []) answer.destroy()
  }

  /** Handles a request before the library does; returns false for one that it refused. */
  watch(request: IncomingMessage, response: ServerResponse): boolean {
    const id = sessionId(request)
    if (id === '') return true
    const session = this.#sessions.get(id)
    if (session !== undefined) this.#count(request, response, session)
    // The library would refuse it too, but in other words and without advice.
    else writeRefusal(response, new Refusal('SESSION_NOT_FOUND'), readRequestId(request), [])
    return session !== undefined
  }

  #count(request: IncomingMessage, response: ServerResponse, session: PollingSession): void {
    session.answers.add(response)
    response.once('close', () => session.answers.delete(response))
    if (request.method !== 'POST') return
    request.on('data', (chunk: string | Buffer) => {
      const waitMs = take(session.budget, chunk.toString())
      if (waitMs === 0) return
      // The library does not see the end of the request.
      request.pause()
      const refusal = new Refusal('RATE_LIMIT_EXCEEDED', { retryAfterMs: waitMs })
      writeRefusal(response, refusal, readRequestId(request), ['connection', 'close'])
      response.once('finish', () => request.destroy())
      session.exceeded(waitMs)
    })
  }
}

/** Counts the packets of a piece of a body, each as a message, and its bytes. */
function take(budget: InboundBudget, text: string): number {
  let waitMs = budget.take(countUnits(text.length))
  let packets = 0
  let at = text.indexOf(SEPARATOR)
  while (at !== -1 && waitMs === 0) {
    packets += 1
    at = text.indexOf(SEPARATOR, at + 1)
    if (packets % PACKETS_PER_TAKE === 0) waitMs = budget.take(PACKETS_PER_TAKE)
  }
  return waitMs || budget.take(packets % PACKETS_PER_TAKE)
}
