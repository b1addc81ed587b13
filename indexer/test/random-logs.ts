// Random logs of every followed event, for the decoder's comparison with viem and its benchmark.
import type { ContractKind } from '@openvenue/contracts/events/translate'
import { followedEvents } from '@openvenue/contracts/events/venue-logs'
import { type AbiEvent, type AbiParameter, encodeAbiParameters, toEventSelector } from 'viem'
import { SeededRandom } from './seeded-random.ts'

type RandomLog = Readonly<{
  kind: ContractKind
  event: AbiEvent
  topics: readonly `0x${string}`[]
  data: `0x${string}`
}>

const KINDS: readonly ContractKind[] = ['accounts', 'spot', 'perps', 'oracle']

/** Returns `count` logs, the followed events of all contracts in turn, drawn from `seed`. */
export function randomLogs(seed: number, count: number): RandomLog[] {
  const draw = makeDraws(seed)
  const events = KINDS.flatMap((kind) =>
    followedEvents(kind).map((event) => ({ kind, event, selector: toEventSelector(event) })),
  )
  return Array.from({ length: count }, (_, index) => {
    const { kind, event, selector } = events[index % events.length] as (typeof events)[number]
    const encode = (inputs: readonly AbiParameter[]) =>
      encodeAbiParameters(
        inputs,
        inputs.map((input) => randomValue(input, draw)),
      )
    const indexed = event.inputs.filter((input) => input.indexed)
    const topics = [selector, ...indexed.map((input) => encode([input]))]
    return { kind, event, topics, data: encode(event.inputs.filter((input) => !input.indexed)) }
  })
}

function randomValue(input: AbiParameter, draw: DrawInteger): unknown {
  const { type } = input
  if (type === 'tuple') {
    const { components } = input as Extract<AbiParameter, { components: readonly AbiParameter[] }>
    return Object.fromEntries(components.map((field) => [field.name, randomValue(field, draw)]))
  }
  if (type === 'bool') return draw(1) === 1n
  if (type === 'address') return `0x${hex(draw(160), 20)}`
  if (type === 'bytes32') return `0x${hex(draw(256), 32)}`
  const [, sign, bits = '0'] = /^(u?)int(\d+)$/.exec(type) ?? []
  const value = sign === 'u' ? draw(Number(bits)) : BigInt.asIntN(Number(bits), draw(Number(bits)))
  return Number(bits) <= 48 ? Number(value) : value
}

const hex = (value: bigint, bytes: number) => value.toString(16).padStart(bytes * 2, '0')

/** Returns an integer of at most `bits` bits: an edge value one time in four. */
type DrawInteger = (bits: number) => bigint

function makeDraws(seed: number): DrawInteger {
  const random = new SeededRandom(seed)
  return (bits) => {
    const edge = random.below(16)
    if (edge === 0) return 0n
    if (edge === 1) return (1n << BigInt(bits)) - 1n
    if (edge === 2) return 1n << BigInt(bits - 1)
    if (edge === 3) return 1n
    return random.bits(bits)
  }
}
