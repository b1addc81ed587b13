// Compares code on chain byte by byte with the code that its creation code returns. Creation code
// contains the runtime code; only immutables differ, which are 32 zero bytes each in it.
import { type Hex, hexToBytes, toHex } from 'viem'

/** `PUSH32`, which precedes the value of an immutable. */
const PUSH32 = 0x7f
const WORD = 32
/** Number of wrong bytes beyond which the code counts as different code. */
const WRONG_MAX = 64
/** Maximum number of named bytes; further ones are counted. */
const NAMED_MAX = 3

type WrongByte = Readonly<{ at: number; stands: number; wanted: number }>
type Comparison = Readonly<{
  wrong: readonly WrongByte[]
  /** Distinct values of immutables. */
  immutables: readonly Hex[]
}>

/** Returns how `code` differs from the code in `creation`; undefined when unrelated. */
export function compareRuntime(code: Hex, creation: Hex): Comparison | undefined {
  const [stands, inside] = [hexToBytes(code), hexToBytes(creation)]
  let best: Comparison | undefined
  for (let offset = 0; offset + stands.length <= inside.length; offset += 1) {
    const template = inside.subarray(offset, offset + stands.length)
    const found = compareAt(stands, template)
    if (found === undefined) continue
    if (best === undefined || found.wrong.length < best.wrong.length) best = found
    if (best.wrong.length === 0) return best
  }
  return best
}

function compareAt(stands: Uint8Array, template: Uint8Array): Comparison | undefined {
  const wrong: WrongByte[] = []
  const immutables = new Set<Hex>()
  for (let at = 0; at < stands.length; at += 1) {
    if (isImmutable(template, at)) {
      immutables.add(toHex(stands.subarray(at, at + WORD)))
      at += WORD - 1
    } else if (stands[at] !== template[at]) {
      wrong.push({ at, stands: stands[at] ?? 0, wanted: template[at] ?? 0 })
      if (wrong.length > WRONG_MAX) return undefined
    }
  }
  return { wrong, immutables: [...immutables] }
}

const isImmutable = (template: Uint8Array, at: number): boolean =>
  template[at - 1] === PUSH32 &&
  template[at] === 0 &&
  at + WORD <= template.length &&
  template.subarray(at, at + WORD).every((byte) => byte === 0)

export function wrongText(wrong: readonly WrongByte[]): string {
  const hex = (byte: number) => `0x${byte.toString(16).padStart(2, '0')}`
  const named = wrong
    .slice(0, NAMED_MAX)
    .map(({ at, stands, wanted }) => `byte ${at} is ${hex(stands)} instead of ${hex(wanted)}`)
  const more = wrong.length - named.length
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
