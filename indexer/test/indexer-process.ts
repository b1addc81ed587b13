// A standalone indexer process, to be killed.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** Fifty starts of the same program; a killed one leaves nothing in the cache. */
const OWN_CACHE = join(tmpdir(), 'openvenue-compile-cache')
const SYNC_MS_MAX = 180_000
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** Its database and deployment file are in `folder`; `more` are further variables. */
export class IndexerProcess {
  readonly #process: ChildProcess
  #synced = -1
  #isStandby = false
  #signal: () => void = () => {}

  constructor(folder: string, chain: Readonly<{ url: string; wsUrl: string }>, more = {}) {
    this.#process = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        DATA_DIR: folder,
        RPC_URL: chain.url,
        RPC_WS_URL: chain.wsUrl,
        INDEXER_PORT: '0',
        LOG_LEVEL: 'debug',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? OWN_CACHE,
        ...more,
      },
    })
    if (this.#process.stdout === null) throw new Error('the output is piped')
    createInterface(this.#process.stdout).on('line', (line) => this.#read(line))
  }

  get synced(): number {
    return this.#synced
  }

  /** True while another process writes. */
  get isStandby(): boolean {
    return this.#isStandby
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name)
  }

  /** Waits until `isThere`, checked after each log line of the indexer. */
  async reaches(isThere: () => boolean): Promise<void> {
    const late = AbortSignal.timeout(SYNC_MS_MAX)
    late.addEventListener('abort', () => this.#signal())
    while (!isThere()) {
      late.throwIfAborted()
      assert.equal(this.#process.exitCode, null, 'the indexer runs')
      await new Promise<void>((resolve) => {
        this.#signal = resolve
      })
    }
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { exitCode, signalCode } = this.#process
    if (exitCode !== null || signalCode !== null) return
    const exited = once(this.#process, 'exit')
    this.#process.kill(signal)
    await exited
  }

  #read(line: string): void {
    const { block, msg } = JSON.parse(line) as { block?: number; msg?: string }
    if (msg?.startsWith('on standby')) this.#isStandby = true
    if (msg === 'state loaded') this.#isStandby = false
    if (msg === 'state loaded') this.#synced = block ?? 0
    else if (msg === 'committed') this.#synced = block ?? 0
    this.#signal()
  }
}
