// Tracks a start: the current work, its progress, and requests to stop.
import type { StartingPort } from '@openvenue/api/http/starting-port'

/** The ports of both hosts, held until the hosts are ready. */
export type StartingPorts = Readonly<{ api: StartingPort; integrated: StartingPort }>

/** Thrown when a stop was requested before everything ran. */
export class StartStopped extends Error {
  override name = 'StartStopped'

  constructor() {
    super('asked to stop while starting')
  }
}

/** Progress of a piece of work. */
type StartupStage = Readonly<{ done: number; of: number; unit: string }>

export class Startup {
  /** Absent: the hosts listen when they are ready. */
  ports: StartingPorts | undefined
  /** Aborts when a stop is requested. */
  readonly signal: AbortSignal | undefined
  /**
   * The pending build of the terminal with the reason if it failed; absent: the existing one is
   * served. Never rejects.
   */
  pageBuilt: Promise<string | undefined> | undefined
  #work = 'loading the programs'
  #part: StartupStage | undefined

  constructor(signal?: AbortSignal) {
    this.signal = signal
  }

  /** Description of the current work. */
  get awaiting(): string {
    if (this.#part === undefined) return this.#work
    const { done, of, unit } = this.#part
    return `${this.#work}, ${roundDown(Math.min(done, of))} of ${roundDown(of)} ${unit}`
  }

  /** Starts the next piece of work; throws `StartStopped` when a stop was requested. */
  begin(work: string): void {
    this.#work = work
    this.#part = undefined
    this.#goOn()
  }

  /** Reports progress; throws `StartStopped` when a stop was requested. */
  advance(part: StartupStage): void {
    this.#part = part
    this.#goOn()
  }

  #goOn(): void {
    if (this.signal?.aborted === true) throw new StartStopped()
  }
}

/** Tenths suffice for display. */
const roundDown = (value: number) => Math.floor(value * 10) / 10
