// Records every transaction of a deployment on disk before it is sent: after a crash the same
// transaction is sent again, or none.
import type { Hex } from 'viem'
import { readJson, writeDurably } from './durable-file.ts'

/** A signed transaction. Replacements share its nonce, so at most one is ever included. */
export type Attempt = Readonly<{ hash: Hex; raw: Hex; maxFee: string; tip: string }>

export type TxResult = Readonly<{
  hash: Hex
  block: number
  gasUsed: string
  isReverted: boolean
}>

export type JournalEntry = Readonly<{
  step: string
  dataHash: Hex
  nonce: number
  attempts: readonly Attempt[]
  outcome?: TxResult
}>

/** Inputs of the addresses, and a block before the first contract. */
export type Basis = Readonly<{
  chainId: number
  deployer: Hex
  factory: 'create2' | 'create'
  nonce: number
  salt: string
  block: number
}>

/** Address of a contract. With nonces, it does not depend on code and arguments. */
type PlacedContract = Readonly<{ address: Hex; initCodeHash: Hex }>

type Content = Readonly<{
  basis: Basis
  contracts: Readonly<Record<string, PlacedContract>>
  entries: readonly JournalEntry[]
}>

/** Thrown when a recorded contract would now be created differently. */
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

  /** Returns the journal at `path`; undefined when nothing was ever sent. */
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

  get entries(): readonly JournalEntry[] {
    return this.#content.entries
  }

  /** Returns the newest entry of a step: the one with the highest nonce. */
  find(step: string): JournalEntry | undefined {
    return this.entries.findLast((entry) => entry.step === step)
  }

  /** Returns the entries without an outcome. */
  pending(): readonly JournalEntry[] {
    return this.entries.filter(({ outcome }) => outcome === undefined)
  }

  /** Throws `JournalDiffers` when a recorded contract would now be different. */
  recordContracts(contracts: Readonly<Record<string, PlacedContract>>): void {
    for (const [name, now] of Object.entries(contracts)) {
      const before = this.#content.contracts[name]
      if (before === undefined || this.find(name) === undefined) continue
      if (before.address === now.address && before.initCodeHash === now.initCodeHash) continue
      throw new JournalDiffers(
        `${name} was created at ${before.address}, but would now differ, at ${now.address}: its code ` +
          'or arguments have changed. Restore them, or deploy another venue from another folder',
      )
    }
    this.#content = { ...this.#content, contracts }
  }

  /** Returns the entry with `nonce`. */
  at(nonce: number): JournalEntry | undefined {
    return this.entries.find((entry) => entry.nonce === nonce)
  }

  /** Writes `entry`, replacing the one with its nonce if there is one. */
  put(entry: JournalEntry): void {
    const others = this.entries.filter(({ nonce }) => nonce !== entry.nonce)
    this.#write([...others, entry].sort((a, b) => a.nonce - b.nonce))
  }

  #write(entries: readonly JournalEntry[]): void {
    this.#content = { ...this.#content, entries }
    writeDurably(this.#path, `${JSON.stringify(this.#content, null, 2)}\n`)
  }
}
