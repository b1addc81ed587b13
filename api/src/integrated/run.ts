// Builds a node of the second host from the environment and runs it until it is stopped.
import { watchService } from '@openvenue/runtime/watchdog'
import { parseConfig } from '../node/config.ts'
import { openProcess, runUntil } from '../node/process.ts'
import { createIntegratedNode } from './node.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable,
 * when a token list file is not one, and when the node cannot go on.
 */
export async function runIntegrated(
  env: Readonly<Record<string, string | undefined>>,
  stopped: Promise<void>,
): Promise<void> {
  const config = parseConfig(env)
  const { host, integratedPort: port } = config
  void watchService(env, { host, port, path: '/health' })
  const opened = await openProcess(config, port)
  const node = await createIntegratedNode({
    ...opened.deps,
    settings: { ...config, ...config.settings },
    rates: { ...opened.deps.rates, publicRate: config.integratedRate },
  })
  await runUntil(stopped, node, opened)
}
