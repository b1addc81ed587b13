// Formats a plan for display.
import { formatRaw } from '@openvenue/core/units'
import { costMax, costNow, governedSteps, openSteps, type Plan, type PlannedStep } from './plan.ts'

type Currency = Readonly<{ symbol: string; decimals: number }>
const GWEI_DECIMALS = 9

export function planText(plan: Plan, currency: Currency): string {
  const open = openSteps(plan)
  const governed = governedSteps(plan)
  const done = plan.steps.length - open.length - governed.length
  return [
    ...contractLines(plan),
    '',
    `${plan.steps.length} steps: ${done} done, ${open.length} to do`,
    ...open.map(stepLine),
    ...(governed.length === 0
      ? []
      : ['', 'differences that require a timelock proposal (npm run admin):']),
    ...governed.map(stepLine),
    '',
    ...costLines(plan, currency),
  ].join('\n')
}

const contractLines = ({ contracts, deployer }: Plan): readonly string[] => [
  `deployer ${deployer}`,
  ...contracts.map(
    ({ name, address, to }) =>
      `  ${name.padEnd(16)} ${address}  ${to === undefined ? "by the deployer's nonce" : 'by CREATE2'}`,
  ),
]

const stepLine = ({ step, actual }: PlannedStep): string =>
  `  ${step.name}: ${actual} -> ${step.expected}`

function costLines(plan: Plan, { symbol, decimals }: Currency): readonly string[] {
  if (plan.gas === 0n) return ['nothing to send']
  const coins = (wei: bigint) => `${formatRaw(wei, decimals)} ${symbol}`
  const gwei = (wei: bigint) => `${formatRaw(wei, GWEI_DECIMALS)} gwei`
  return [
    `gas at most ${plan.gas}, base fee ${gwei(plan.baseFee)}, offered ${gwei(plan.fee.max)}`,
    `cost about ${coins(costNow(plan))}, at most ${coins(costMax(plan))}`,
    `deployer balance ${coins(plan.balance)}`,
  ]
}
