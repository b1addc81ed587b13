// Runs a process of the venue, and restarts it when it ends, like operators.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Child } from '../servers/child.ts'

const CLOCK = fileURLToPath(new URL('./stepped-clock.mjs', import.meta.url))
const RESTART_MS = 500

type ServiceOptions = Readonly<{
  name: string
  /** Its `main.ts`. */
  main: string
  env: Readonly<Record<string, string>>
  /** Folder for its log and its clock. */
  folder: string
  url: string
}>

export class Service {
  readonly name: string
  readonly url: string
  readonly logPath: string
  readonly #options: ServiceOptions
  readonly #clockPath: string
  #child: Child | undefined
  #isWanted = false
  /** Number of unexpected exits. */
  exits = 0

  constructor(options: ServiceOptions) {
    this.name = options.name
    this.url = options.url
    this.#options = options
    this.logPath = `${options.folder}/${options.name}.log`
    this.#clockPath = `${options.folder}/${options.name}.clock`
    writeFileSync(this.#clockPath, '0')
  }

  start(): void {
    this.#isWanted = true
    const { main, env } = this.#options
    const child = Child.start({
      command: process.execPath,
      args: [`--import=${CLOCK}`, main],
      logPath: this.logPath,
      env: { ...env, DRILL_CLOCK_FILE: this.#clockPath },
    })
    this.#child = child
    void child.ended.then(() => this.#startAgain(child))
  }

  async #startAgain(ended: Child): Promise<void> {
    if (!this.#isWanted || this.#child !== ended) return
    this.exits += 1
    await sleep(RESTART_MS, undefined, { ref: false })
    if (this.#isWanted && this.#child === ended) this.start()
  }

  /** True while its process runs. */
  get isUp(): boolean {
    return this.#child !== undefined && !this.#child.hasEnded
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.signal(name)
  }

  /** Ends it at once; it is not restarted before `start`. */
  async kill(): Promise<void> {
    this.#isWanted = false
    this.#child?.signal('SIGKILL')
    await this.#child?.ended
  }

  /** Sets the offset of its wall clock, milliseconds. */
  stepClock(offsetMs: number): void {
    writeFileSync(this.#clockPath, String(offsetMs))
    this.signal('SIGUSR2')
  }

  async stop(): Promise<void> {
    this.#isWanted = false
    await this.#child?.end()
  }

  lastLines(): string {
    return this.#child?.lastLines() ?? ''
  }
}
