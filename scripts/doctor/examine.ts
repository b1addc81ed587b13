// Runs all checks concurrently, each with a time limit.
import type { Environment } from '@openvenue/runtime/environment'
import { checkContracts, checkNode, checkWallets } from './chain-checks.ts'
import { type Finding, redactor, within } from './finding.ts'
import { readPlan } from './plan.ts'
import { checkDatabase, checkNats, checkPort, checkQueue, checkRedis } from './service-checks.ts'

const CHECK_MS_MAX = 8_000

/** Returns the findings in a fixed order, without secrets. */
export async function examine(given: Environment, nowMs = Date.now): Promise<readonly Finding[]> {
  const { findings, plan, env } = readPlan(given, nowMs)
  const results =
    plan === undefined
      ? []
      : await Promise.all([
          ...plan.rpcUrls.map((url, at) => {
            const item = `node ${at + 1}`
            return within(CHECK_MS_MAX, item, checkNode(plan, url, item))
          }),
          within(CHECK_MS_MAX, 'contracts', checkContracts(plan)),
          within(CHECK_MS_MAX, 'database', checkDatabase(plan)),
          within(CHECK_MS_MAX, 'redis', checkRedis(plan)),
          within(CHECK_MS_MAX, 'nats', checkNats(plan)),
          within(CHECK_MS_MAX, 'wallets', checkWallets(plan)),
          within(CHECK_MS_MAX, 'accept queue', checkQueue),
          ...plan.ports.map(([name, port]) =>
            within(CHECK_MS_MAX, `port ${name}`, checkPort(plan, name, port)),
          ),
        ])
  const redact = redactor(env)
  return [...findings, ...results.flat()].map((line) => ({ ...line, text: redact(line.text) }))
}
