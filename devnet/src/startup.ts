// Follows a start: what is being done, how far it is, and whether somebody has asked to stop.
import type { StartingPort } from '@openvenue/api/http/starting-port'

/** The ports of both hosts, held until the hosts are there. */
export type StartingPorts = Readonly<{ api: StartingPort; integrated: StartingPort }>

/** Somebody asked to stop before everything ran. */
export class StartStopped extends Error {
  override name = 'StartStopped'

  constructor() {
    super('asked to stop while starting')
  }
}

/** How much of a piece of work is done. */
type Part = Readonly<{ done: number; of: number; unit: string }>

export class Startup {
  /** Absent: the hosts listen when they are there. */
  ports: StartingPorts | undefined
  /** Aborts when somebody asks to stop. */
  readonly signal: AbortSignal | undefined
  /**
   * The terminal, being built meanwhile, and why it was not; absent: it is served as it is. Never
   * rejects.
   */
  pageBuilt: Promise<string | undefined> | undefined
  #work = 'loading the programs'
  #part: Part | undefined

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  /** What is being done, in words. */
  get awaiting(): string {
    if (this.#part === undefined) return this.#work
    const { done, of, unit } = this.#part
    return `${this.#work}, ${roundDown(Math.min(done, of))} of ${roundDown(of)} ${unit}`
  }

  /** Goes on to the next piece of work; throws `StartStopped` when somebody asked to stop. */
  begin(work: string): void {
    this.#work = work
    this.#part = undefined
    this.#goOn()
  }

  /** Says how far the work is; throws `StartStopped` when somebody asked to stop. */
  advance(part: Part): void {
    this.#part = part
    this.#goOn()
  }

  #goOn(): void {
    if (this.signal?.aborted === true) throw new StartStopped()
  }
}

/** Tenths are enough for people. */
const roundDown = (value: number) => Math.floor(value * 10) / 10
