// Reads the bloom filters in headers, and decides how far they are believed. Many chains and nodes
// do not fill them: then a block with logs looks as if it had none. So that a filter is empty
// counts only where the same source has shown that it fills them, by a block whose logs we have.
// That logs are in it counts until the source was wrong: to be misled costs no more than a
// question.
import type { Hex } from 'viem'
import { keccak256 } from 'viem/utils'
import type { ChainHeader, ChainLog, HeaderSource, LogFilter } from './chain.ts'

const BITS = 2048
/** A filter with more bits set than this says of everything that it may be there. */
const BITS_SET_MAX = (BITS * 3) / 4
const ZERO = /^0x0+$/

export class Blooms {
  /** By source; one that has left out a log once is never believed again. */
  readonly #isHonest = new Map<string, boolean>()
  readonly #bits = new Map<string, readonly number[]>()

  /** Whether the filter proves that the block holds no log at all. */
  provesQuiet({ bloom, source }: ChainHeader): boolean {
    return bloom !== undefined && ZERO.test(bloom) && this.#isHonest.get(sourceKey(source)) === true
  }

  /** Whether the block must hold logs that `filter` wants, as far as such a filter can know. */
  promises({ bloom, source }: ChainHeader, filter: LogFilter): boolean {
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

  /** Learns of the source of `header` from logs that the block holds. */
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

  /** Kept: contracts and topics that are followed are few, and asked about with every block. */
  #hashBits(item: string): readonly number[] {
    const known = this.#bits.get(item)
    if (known !== undefined) return known
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
