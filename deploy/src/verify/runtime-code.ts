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

type WrongByte = Readonly<{ at: number; actual: number; expected: number }>
type Comparison = Readonly<{
  wrong: readonly WrongByte[]
  /** Distinct values of immutables. */
  immutables: readonly Hex[]
}>

/** Returns how `code` differs from the code in `creation`; undefined when unrelated. */
export function compareRuntime(code: Hex, creation: Hex): Comparison | undefined {
  const [deployed, inside] = [hexToBytes(code), hexToBytes(creation)]
  let best: Comparison | undefined
  for (let offset = 0; offset + deployed.length <= inside.length; offset += 1) {
    const template = inside.subarray(offset, offset + deployed.length)
    const comparison = compareAt(deployed, template)
    if (comparison === undefined) continue
    if (best === undefined || comparison.wrong.length < best.wrong.length) best = comparison
    if (best.wrong.length === 0) return best
  }
  return best
}

function compareAt(deployed: Uint8Array, template: Uint8Array): Comparison | undefined {
  const wrong: WrongByte[] = []
  const immutables = new Set<Hex>()
  for (let at = 0; at < deployed.length; at += 1) {
    if (isImmutable(template, at)) {
      immutables.add(toHex(deployed.subarray(at, at + WORD)))
      at += WORD - 1
    } else if (deployed[at] !== template[at]) {
      wrong.push({ at, actual: deployed[at] ?? 0, expected: template[at] ?? 0 })
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
    .map(({ at, actual, expected }) => `${hex(actual)} instead of ${hex(expected)} at byte ${at}`)
  const more = wrong.length - named.length
  return `${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}
