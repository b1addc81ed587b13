import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compileDecoder, pickEvents } from '@openvenue/contracts/events/decode'
import { decodeEventLog, parseAbi } from 'viem'
import { randomLogs } from '../test/random-logs.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20260730)
const FUZZED_LOGS = Number(process.env.FUZZ_LOGS ?? 100_000)

/** viem returns addresses in mixed case; the venue stores them in lower case. */
const lowerCase = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toLowerCase()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, lowerCase(field)]))
}

describe('the compiled decoder', () => {
  test(`the compiled decoder equals viem on ${FUZZED_LOGS} random logs of every followed event`, (t) => {
    t.diagnostic(`seed ${SEED} (set FUZZ_SEED for another)`)
    const decoders = new Map()
    for (const { event, topics, data } of randomLogs(SEED, FUZZED_LOGS)) {
      const decode = decoders.get(event) ?? compileDecoder([event])
      decoders.set(event, decode)
      const theirs = decodeEventLog({ abi: [event], topics: topics as never, data })
      assert.deepEqual(decode({ topics, data }), {
        name: theirs.eventName,
        args: lowerCase(theirs.args),
      })
    }
  })

  test('the compiled decoder returns undefined for an unknown topic', () => {
    const decode = compileDecoder(parseAbi(['event Known(uint256 value)']))
    assert.equal(decode({ topics: [`0x${'11'.repeat(32)}`], data: '0x' }), undefined)
  })

  test('the compiled decoder refuses a log with less data than its event declares', () => {
    const events = parseAbi(['event Known(uint256 value)'])
    const decode = compileDecoder(events)
    const [log] = randomLogs(1, 1)
    assert.ok(log)
    assert.throws(
      () => compileDecoder([log.event])({ topics: log.topics.slice(0, -1), data: log.data }),
      /a log has the size its event declares/,
    )
    assert.equal(decode({ topics: [], data: '0x' }), undefined)
  })

  test('the compiler of decoders refuses a field of dynamic size', () => {
    assert.throws(
      () => compileDecoder(parseAbi(['event Named(string name)'])),
      /an event field is a word of a known type/,
    )
  })

  test('the compiler of decoders refuses an ABI that lacks a followed event', () => {
    assert.throws(() => pickEvents([], ['Placed']), /the ABI has every event that is followed/)
  })
})
