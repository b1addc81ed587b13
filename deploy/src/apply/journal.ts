// Remembers what a deployment has sent, on disk before it is sent: whoever goes on after a crash
// sends the very same transaction again, or nothing.
import type { Hex } from 'viem'
import { readJson, writeDurably } from './durable-file.ts'

/** A signed transaction. Replacements have the same nonce, so at most one is ever carried out. */
export type Attempt = Readonly<{ hash: Hex; raw: Hex; maxFee: string; tip: string }>

export type Outcome = Readonly<{
  hash: Hex
  block: number
  gasUsed: string
  isReverted: boolean
}>

export type Entry = Readonly<{
  step: string
  dataHash: Hex
  nonce: number
  attempts: readonly Attempt[]
  outcome?: Outcome
}>

/** What addresses depend on, and a block before the first contract. */
export type Basis = Readonly<{
  chainId: number
  deployer: Hex
  factory: 'create2' | 'create'
  nonce: number
  salt: string
  block: number
}>

/** Where a contract is put. By nonces, its address says nothing of its code and arguments. */
export type Placed = Readonly<{ address: Hex; initCodeHash: Hex }>

type Content = Readonly<{
  basis: Basis
  contracts: Readonly<Record<string, Placed>>
  entries: readonly Entry[]
}>

/** What was sent is not what would be sent now. */
export class JournalDiffers extends Error {
  override name = 'JournalDiffers'
}

export class Journal {
  readonly #path: string
  #content: Content

  private constructor(path: string, content: Content) {
    this.#path = path
    this.#content = content
  }

  /** Returns the journal at `path`; undefined where nothing was ever sent. */
  static find(path: string): Journal | undefined {
    const content = readJson(path) as Content | undefined
    return content === undefined || content.entries.length === 0
      ? undefined
      : new Journal(path, content)
  }

  static begin(path: string, basis: Basis): Journal {
    return new Journal(path, { basis, contracts: {}, entries: [] })
  }

  get basis(): Basis {
    return this.#content.basis
  }

  get entries(): readonly Entry[] {
    return this.#content.entries
  }

  /** Returns the newest entry of a step: that with the highest nonce. */
  find(step: string): Entry | undefined {
    return this.entries.findLast((entry) => entry.step === step)
  }

  /** Returns the entries of which nobody knows yet how they ended. */
  pending(): readonly Entry[] {
    return this.entries.filter(({ outcome }) => outcome === undefined)
  }

  /** Throws `JournalDiffers` where a contract that was sent would now be another. */
  keepTo(contracts: Readonly<Record<string, Placed>>): void {
    for (const [name, now] of Object.entries(contracts)) {
      const before = this.#content.contracts[name]
      if (before === undefined || this.find(name) === undefined) continue
      if (before.address === now.address && before.initCodeHash === now.initCodeHash) continue
      throw new JournalDiffers(
        `${name} was created at ${before.address}, and would be another at ${now.address} now: its ` +
          'code or its arguments changed since. Go back to what they were, or put another venue ' +
          'into another folder',
      )
    }
    this.#content = { ...this.#content, contracts }
  }

  /** Returns what was sent with `nonce`. */
  at(nonce: number): Entry | undefined {
    return this.entries.find((entry) => entry.nonce === nonce)
  }

  /** Writes `entry` down, in the place of the one with its nonce if there is one. */
  put(entry: Entry): void {
    const others = this.entries.filter(({ nonce }) => nonce !== entry.nonce)
    this.#write([...others, entry].sort((one, other) => one.nonce - other.nonce))
  }

  #write(entries: readonly Entry[]): void {
    this.#content = { ...this.#content, entries }
    writeDurably(this.#path, `${JSON.stringify(this.#content, null, 2)}\n`)
  }
}
