// Runs all checks concurrently, each with a time limit.
import type { Environment } from '@openvenue/runtime/environment'
import { checkContracts, checkNode, checkWallets } from './chain-checks.ts'
import { type Finding, redactor, within } from './finding.ts'
import { readPlan } from './plan.ts'
import { checkDatabase, checkPort, checkRedis } from './service-checks.ts'

const CHECK_MS_MAX = 8_000

/** Returns the findings in a fixed order, without secrets. */
export async function examine(given: Environment, nowMs = Date.now): Promise<readonly Finding[]> {
  const { findings, plan, env } = readPlan(given, nowMs)
  const found =
    plan === undefined
      ? []
      : await Promise.all([
          ...plan.rpcUrls.map((url, at) => {
            const what = `node ${at + 1}`
            return within(CHECK_MS_MAX, what, checkNode(plan, url, what))
          }),
          within(CHECK_MS_MAX, 'contracts', checkContracts(plan)),
          within(CHECK_MS_MAX, 'database', checkDatabase(plan)),
          within(CHECK_MS_MAX, 'redis', checkRedis(plan)),
          within(CHECK_MS_MAX, 'wallets', checkWallets(plan)),
          ...plan.ports.map(([name, port]) =>
            within(CHECK_MS_MAX, `port ${name}`, checkPort(plan, name, port)),
          ),
        ])
  const redact = redactor(env)
  return [...findings, ...found.flat()].map((one) => ({ ...one, says: redact(one.says) }))
}
