import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spotAbi } from '@openvenue/contracts/abi/spot'
import { decodeFunctionData, type Hex } from 'viem'
import { moneyTxs, type TraderFunds } from './funds.ts'
import { seededRandom } from './random.ts'

const [trader, other, engine, token] = [1, 2, 3, 4].map(
  (n) => `0x${String(n).padStart(40, '0')}`,
) as [...[string, string, string, string]]
const funds = (free: bigint): TraderFunds => ({ trader, engine, token, brought: 1_000n, free })

test('a trader below its range of funds deposits the missing amount and a little more', () => {
  for (let seed = 0; seed < 20; seed++) {
    const moves = runMoves(599n, seed)
    assert.deepEqual(
      moves.map(({ to }) => to),
      [token, engine],
    )
    assert.equal(moves[1]?.name, 'deposit')
    const amount = moves[1]?.args[1] as bigint
    assert.ok(amount > 401n && amount <= 451n, String(amount))
  }
})

test('a trader above its range of funds withdraws', () => {
  for (let seed = 0; seed < 20; seed++)
    assert.deepEqual(
      runMoves(1_501n, seed).map(({ name }) => name),
      ['withdraw'],
    )
})

test('a trader within its range of funds deposits, withdraws or transfers, never to itself', () => {
  const moves = Array.from({ length: 60 }, (_, seed) => runMoves(1_000n, seed).at(-1))
  assert.deepEqual(
    new Set(moves.map((move) => move?.name)),
    new Set(['deposit', 'withdraw', 'transfer']),
  )
  for (const move of moves) if (move?.name === 'transfer') assert.equal(move.args[1], other)
})

function runMoves(free: bigint, seed: number) {
  return moneyTxs(funds(free), [trader, other], seededRandom(seed)).map(({ from, to, data }) => {
    assert.equal(from, trader)
    if (to !== engine) return { to, name: 'mint', args: [] }
    const { functionName, args } = decodeFunctionData({ abi: spotAbi, data: data as Hex })
    return { to, name: functionName, args: args as readonly unknown[] }
  })
}
