// Decodes logs to named values, with readers compiled once from the ABI. Every field of our events
// is static, so a field has a fixed position in the topics or the data; no general ABI library runs
// per log.
import { invariant } from '@openvenue/core/assert'
import type { Abi, AbiEvent, AbiParameter } from 'viem'
import { toEventSelector } from 'viem/utils'

/** The part of a log that holds values: hex text with `0x`. */
export type EncodedLog = Readonly<{ topics: readonly string[]; data: string }>

/**
 * A decoded log: `args` by their Solidity names. Integers of up to 48 bits are numbers and wider
 * ones bigints, as in viem; addresses are lower-case; a struct is an object.
 */
export type DecodedLog = Readonly<{ name: string; args: object }>

/** Decodes logs of one contract: `undefined` for an unknown topic. */
type Decoder = (log: EncodedLog) => DecodedLog | undefined

type ReadWord = (hex: string, at: number) => unknown
type ReadField = (log: EncodedLog) => unknown
type EventReader = Readonly<{ name: string; topics: number; dataChars: number; read: ReadField }>

const WORD_CHARS = 64
const PREFIX_CHARS = 2

/**
 * Returns a decoder of `events`. Throws on an event with a field of dynamic size. A log whose size
 * differs from its event's declaration is impossible for our contracts; from others it is a
 * different event.
 */
export function compileDecoder(
  events: readonly AbiEvent[],
  whose: 'ours' | 'others' = 'ours',
): Decoder {
  const readers = new Map(
    events.map((event) => [toEventSelector(event) as string, compileEvent(event)]),
  )
  return (log) => {
    const reader = readers.get(log.topics[0] ?? '')
    if (reader === undefined) return undefined
    const { name, topics, dataChars } = reader
    if (log.topics.length !== topics || log.data.length !== dataChars) {
      const facts = { name, topics: log.topics.length, data: log.data }
      invariant(whose === 'others', 'a log has the size its event declares', facts)
      return undefined
    }
    return { name, args: reader.read(log) as object }
  }
}

/** Returns the events of `abi` named in `names`; throws if the ABI lacks one. */
export function pickEvents(abi: Abi, names: readonly string[]): AbiEvent[] {
  return names.map((name) => {
    const event = abi.find((item) => item.type === 'event' && item.name === name)
    invariant(event?.type === 'event', 'the ABI has every event that is followed', { name })
    return event
  })
}

function compileEvent(event: AbiEvent): EventReader {
  const fields: [string, ReadField][] = []
  let topics = 1
  let words = 0
  for (const input of event.inputs) {
    const name = input.name ?? ''
    invariant(name !== '', 'an event names its fields', { event: event.name })
    if (input.indexed) fields.push([name, topicReader(input, topics++)])
    else {
      fields.push([name, dataReader(input, words)])
      words += countWords(input)
    }
  }
  const dataChars = PREFIX_CHARS + words * WORD_CHARS
  return { name: event.name, topics, dataChars, read: objectReader(fields) }
}

function topicReader(input: AbiParameter, index: number): ReadField {
  const read = wordReader(input.type)
  return (log) => read(log.topics[index] ?? '', PREFIX_CHARS)
}

function dataReader(input: AbiParameter, word: number): ReadField {
  if (input.type === 'tuple') return structReader(tupleComponents(input), word)
  const read = wordReader(input.type)
  const at = PREFIX_CHARS + word * WORD_CHARS
  return (log) => read(log.data, at)
}

function structReader(components: readonly AbiParameter[], word: number): ReadField {
  let next = word
  return objectReader(
    components.map((component) => {
      const read = dataReader(component, next)
      next += countWords(component)
      return [component.name ?? '', read]
    }),
  )
}

function objectReader(fields: readonly (readonly [string, ReadField])[]): ReadField {
  const names = fields.map(([name]) => name)
  const reads = fields.map(([, read]) => read)
  return (log) => {
    const values: Record<string, unknown> = {}
    for (let i = 0; i < names.length; i++) values[names[i] as string] = reads[i]?.(log)
    return values
  }
}

const tupleComponents = (input: AbiParameter) =>
  (input as Extract<AbiParameter, { components: readonly AbiParameter[] }>).components

const countWords = (input: AbiParameter): number =>
  input.type === 'tuple'
    ? tupleComponents(input).reduce((sum, component) => sum + countWords(component), 0)
    : 1

function wordReader(type: string): ReadWord {
  if (type === 'bool') return (hex, at) => hex[at + WORD_CHARS - 1] === '1'
  if (type === 'address') return (hex, at) => `0x${hex.slice(at + 24, at + 64).toLowerCase()}`
  if (type === 'bytes32') return (hex, at) => `0x${hex.slice(at, at + WORD_CHARS)}`
  const [, sign, bits] = /^(u?)int(\d+)$/.exec(type) ?? []
  invariant(bits !== undefined, 'an event field is a word of a known type', { type })
  return sign === 'u' ? unsignedReader(Number(bits)) : signedReader(Number(bits))
}

/** viem returns a number up to this width, and so do we; a number is exact up to 53 bits. */
const NUMBER_BITS_MAX = 48

function unsignedReader(bits: number): ReadWord {
  const skipped = WORD_CHARS - bits / 4
  return bits <= NUMBER_BITS_MAX
    ? (hex, at) => Number.parseInt(hex.slice(at + skipped, at + WORD_CHARS), 16)
    : (hex, at) => BigInt(`0x${hex.slice(at + skipped, at + WORD_CHARS)}`)
}

function signedReader(bits: number): ReadWord {
  const read = unsignedReader(bits)
  if (bits > NUMBER_BITS_MAX) return (hex, at) => BigInt.asIntN(bits, read(hex, at) as bigint)
  const sign = 2 ** (bits - 1)
  return (hex, at) => {
    const value = read(hex, at) as number
    return value >= sign ? value - 2 * sign : value
  }
}
