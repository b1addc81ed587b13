// Reads the bloom filters in headers, and decides which to trust. Many chains and nodes do not fill
// them, so that a block with logs looks empty. An empty filter therefore counts only once the same
// source has filled one for a block with known logs. A filled filter counts until its source was
// wrong, since a false one only costs a request.
import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import type { ChainHeader, ChainLog, HeaderSource, LogFilter } from './chain.ts'

const BITS = 2048
/** A filter with more bits set than this matches almost everything. */
const BITS_SET_MAX = (BITS * 3) / 4
const ZERO = /^0x0+$/

export class Blooms {
  /** Trust by source; a source that has omitted a log is never trusted again. */
  readonly #isHonest = new Map<string, boolean>()
  readonly #bits = new Map<string, readonly number[]>()

  /** Returns whether the filter proves that the block has no logs at all. */
  provesNoLogs({ bloom, source }: ChainHeader): boolean {
    return bloom !== undefined && ZERO.test(bloom) && this.#isHonest.get(sourceKey(source)) === true
  }

  /** Returns whether the block must have logs that match `filter`, up to false positives. */
  promisesLogs({ bloom, source }: ChainHeader, filter: LogFilter): boolean {
    if (bloom === undefined || ZERO.test(bloom)) return false
    if (this.#isHonest.get(sourceKey(source)) === false) return false
    const bytes = parseBytes(bloom)
    const isThere = (item: string) => this.#isIn(bytes, item)
    return (
      !isFull(bytes) &&
      filter.topics.every((some) => some.some(isThere)) &&
      filter.address.some(isThere)
    )
  }

  /** Judges the source of `header` by logs of the block. */
  learn({ bloom, source }: ChainHeader, logs: readonly ChainLog[]): void {
    const key = sourceKey(source)
    if (logs.length === 0 || this.#isHonest.get(key) === false) return
    const bytes = parseBytes(bloom ?? '0x')
    if (isFull(bytes)) return
    const isTrue = logs.every(
      ({ address, topics: [topic] }) =>
        this.#isIn(bytes, address) && (topic === undefined || this.#isIn(bytes, topic)),
    )
    this.#isHonest.set(key, isTrue)
  }

  #isIn(bytes: Uint8Array, item: string): boolean {
    return this.#hashBits(item).every(
      (bit) => ((bytes[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0,
    )
  }

  /** Cached: followed contracts and topics are few, and checked with every block. */
  #hashBits(item: string): readonly number[] {
    const cached = this.#bits.get(item)
    if (cached !== undefined) return cached
    const hash = keccak256(item as Hex, 'bytes')
    const bits = [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % BITS)
    this.#bits.set(item, bits)
    return bits
  }
}

const sourceKey = ({ endpoint, way }: HeaderSource) => `${endpoint} ${way}`
const parseBytes = (bloom: string) => Buffer.from(bloom.slice(2), 'hex')

function isFull(bytes: Uint8Array): boolean {
  let set = 0
  for (let byte of bytes) for (; byte !== 0; byte &= byte - 1) set++
  return set > BITS_SET_MAX
}
