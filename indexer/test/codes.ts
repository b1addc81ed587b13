// Hand-written contracts of a few bytes, which no compiler would produce.
import type { Hex } from 'viem'

/** Returns the code that creates a contract with this `runtime` (hex, at most 255 bytes). */
function creationCode(runtime: string): Hex {
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  return `0x60${size}80600b6000396000f3${runtime}`
}

const byte = (value: number) => value.toString(16).padStart(2, '0')
const push = (value: number) => `60${byte(value)}`

/** Copies the calldata after the first `skipped` bytes to memory; leaves its size on the stack. */
const copyCalldata = (skipped: number) => `${push(skipped)}360380${push(skipped)}${push(0)}37`

/**
 * Calls the contract in the first word with the rest. When a pool lends, pays the fees in the two
 * tokens named in the loan's data; the loan must go to the pool itself.
 */
export function flashBorrowerCode(): Hex {
  const isCallback = `${push(0)}35${push(0xe0)}1c63e9cbafb014`
  const call = `${push(0)}${push(0)}91${push(0)}${push(0)}${push(0)}355af1`
  const start = isCallback.length / 2 + 3
  const forward = `${copyCalldata(0x20)}${call}`
  const end = start + forward.length / 2 + 3 + 5
  const body = `${forward}${push(end)}57${push(0)}${push(0)}fd5b00`
  const callback = start + body.length / 2
  const selector = `63a9059cbb${push(0xe0)}1b${push(0)}52`
  const pay = (fee: number, token: number) =>
    `${push(fee)}35${push(0x24)}52` +
    `${push(0)}${push(0)}${push(0x44)}${push(0)}${push(0)}${push(token)}355af150`
  const payBoth = `5b${selector}33${push(4)}52${pay(4, 0x84)}${pay(0x24, 0xa4)}00`
  return creationCode(`${isCallback}${push(callback)}57${body}${payBoth}`)
}

/** Logs the calldata after the topics, which are its first `topics` words. */
export const loggerCode = (topics: number): Hex => creationCode(loggerRuntime(topics))

/** The same code as deployed, without 0x. */
export function loggerRuntime(topics: number): string {
  const words = Array.from({ length: topics }, (_, index) => `${push((topics - 1 - index) * 32)}35`)
  // Size and memory position must be above the topics, so the size is pushed again.
  const copy = `${copyCalldata(topics * 32)}50`
  const size = `${push(topics * 32)}3603`
  return `${copy}${words.join('')}${size}${push(0)}${byte(0xa0 + topics)}00`
}

export const TOKEN_CODES = {
  /** Reverts every call. */
  reverting: creationCode('60006000fd'),
  /** Never ends. */
  endless: creationCode('5b600056'),
  /** An invalid opcode. */
  invalid: creationCode('fe'),
  /** Answers with as many zeros as half a million gas buys. */
  bomb: creationCode('620700006000f3'),
  /** Answers with one word, each byte of it 0x41: a symbol of 32 letters, 10^76 decimals. */
  word: creationCode(`7f${'41'.repeat(32)}60005260206000f3`),
} as const
