import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import { Refusal } from '../../http/refusals.ts'
import { createSaltReads } from './salts.ts'

const ENGINE = `0x${'e1'.repeat(20)}`
const ABI = parseAbi([
  'function multicall(bytes[] calls) returns (bytes[] results)',
  'function saltsOf(uint40 account, uint256 word) view returns (uint256)',
])
/** Words of the bitmap of account 7; all others are 0. */
const WORDS = new Map([
  [0n, 0b1010n],
  [2n ** 248n - 1n, 1n << 255n],
])

/** An engine as the contract encodes its answers. */
const engine = async ({ to, data }: Readonly<{ to?: string; data: string }>) => {
  assert.equal(to, ENGINE)
  const [calls] = decodeFunctionData({ abi: ABI, data: data as `0x${string}` }).args as [
    readonly `0x${string}`[],
  ]
  const result = calls.map((call) => {
    const [account, word] = decodeFunctionData({ abi: ABI, data: call }).args as [number, bigint]
    const bits = account === 7 ? (WORDS.get(word) ?? 0n) : 0n
    return encodeFunctionResult({ abi: ABI, functionName: 'saltsOf', result: bits })
  })
  return encodeFunctionResult({ abi: ABI, functionName: 'multicall', result })
}

test('a read of salts finds the spent salts of one account', async () => {
  const salts = [0n, 1n, 2n, 3n, 256n, 2n ** 256n - 1n, 2n ** 256n - 2n]
  const find = createSaltReads(engine)
  assert.deepEqual([...(await find(ENGINE, 7, salts))], [1n, 3n, 2n ** 256n - 1n])
  assert.deepEqual([...(await find(ENGINE, 8, salts))], [])
})

for (const [what, call] of [
  ['no node answers', () => Promise.reject(new Error('away'))],
  ['what it answers is none', async () => '0x'],
  ['it answers of fewer', async () => `0x${'0'.repeat(256)}`],
] as const)
  test(`a read of salts is refused with CHAIN_UNAVAILABLE while ${what}`, async () => {
    const isUnavailable = (error: unknown) =>
      error instanceof Refusal && error.code === 'CHAIN_UNAVAILABLE'
    await assert.rejects(createSaltReads(call)(ENGINE, 7, [1n, 2n]), isUnavailable)
  })
