// Puts a node of the second host together from the environment and runs it until it is asked to
// stop.
import { watchService } from '@openvenue/store/service-watch'
import { parseConfig } from '../node/config.ts'
import { openProcess, runUntil } from '../node/process.ts'
import { createIntegratedNode } from './node.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable,
 * when a token list in a file is none, or when the node can no longer hold.
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
