// Encodes values as the topics and data of a log, the decoder's inverse, fast enough for long
// chains.
import type { AbiEvent, AbiParameter } from 'viem'
import { toEventSelector } from 'viem/utils'

export type EncodedEvent = Readonly<{ topics: readonly string[]; data: string }>

type Values = Readonly<Record<string, unknown>>

const selectors = new Map<AbiEvent, string>()

/** Encodes `values`, in the decoder's format, as a log of `event`. */
export function encodeEvent(event: AbiEvent, values: Values): EncodedEvent {
  let selector = selectors.get(event)
  if (selector === undefined) {
    selector = toEventSelector(event)
    selectors.set(event, selector)
  }
  const topics = [selector]
  let data = '0x'
  for (const input of event.inputs) {
    const words = encodeWords(input, values[input.name ?? ''])
    if (input.indexed) topics.push(`0x${words}`)
    else data += words
  }
  return { topics, data }
}

function encodeWords(input: AbiParameter, value: unknown): string {
  if (input.type === 'tuple') {
    const { components } = input as Extract<AbiParameter, { components: readonly AbiParameter[] }>
    const fields = value as Values
    return components.map((field) => encodeWords(field, fields[field.name ?? ''])).join('')
  }
  if (input.type === 'bytes32') return (value as string).slice(2)
  if (typeof value === 'string') return value.slice(2).padStart(64, '0')
  if (typeof value === 'boolean') return (value ? '1' : '0').padStart(64, '0')
  if (typeof value === 'number' && value >= 0) return value.toString(16).padStart(64, '0')
  return BigInt.asUintN(256, BigInt(value as number | bigint))
    .toString(16)
    .padStart(64, '0')
}

/** Returns `text` as a bytes32: left-aligned ASCII. */
export const encodeBytes32 = (text: string) =>
  `0x${Buffer.from(text, 'latin1').toString('hex').padEnd(64, '0')}`
