// The plan as shown to an operator before the confirmation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import type { Contract } from './contracts.ts'
import type { Plan, PlannedStep } from './plan.ts'
import { planText } from './plan-text.ts'

const GWEI = 1_000_000_000n
const address = (digit: string): Hex => `0x${digit.repeat(40)}`
const contract = (name: string, to: Hex | undefined) =>
  ({ name, address: address('a'), to }) as Contract
const step = (name: string, state: PlannedStep['state'], actual: string, expected: string) =>
  ({ step: { name, expected }, actual, state }) as PlannedStep

const plan: Plan = {
  deployer: address('d'),
  contracts: [contract('governance', undefined), contract('spot', address('f'))],
  steps: [
    step('governance', 'done', 'deployed', 'deployed'),
    step('spot', 'open', 'none', 'deployed'),
    step('guardian of oracle', 'governed', address('1'), address('2')),
  ],
  gas: 8_700_000n,
  baseFee: 20n * GWEI,
  fee: { max: 41n * GWEI, tip: GWEI },
  balance: 3n * 10n ** 17n,
}
const COIN = { symbol: 'USDC', decimals: 18 }

test('a plan shows addresses, differences and cost', () => {
  assert.deepEqual(planText(plan, COIN).split('\n'), [
    `deployer ${address('d')}`,
    `  governance       ${address('a')}  by the deployer's nonce`,
    `  spot             ${address('a')}  by CREATE2`,
    '',
    '3 steps: 1 done, 1 to do',
    '  spot: none -> deployed',
    '',
    'differences that require a timelock proposal (npm run admin):',
    `  guardian of oracle: ${address('1')} -> ${address('2')}`,
    '',
    'gas at most 8700000, base fee 20 gwei, offered 41 gwei',
    // 8.7 million gas at 21 gwei, and at 41 gwei.
    'cost about 0.1827 USDC, at most 0.3567 USDC',
    'deployer balance 0.3 USDC',
  ])
})

test('a plan without open steps sends nothing', () => {
  const [done] = plan.steps
  assert.ok(done)
  const text = planText({ ...plan, steps: [done], gas: 0n }, COIN)
  assert.match(text, /\n1 steps: 1 done, 0 to do\n\nnothing to send$/)
})
