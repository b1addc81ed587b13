// Builds an API node from the environment and runs it until it is stopped.
import { watchService } from '@openvenue/runtime/watchdog'
import type { PublishedVenue } from '../rest/published.ts'
import { readTerminal } from '../rest/terminal-files.ts'
import { createAccountDeps } from './account-deps.ts'
import { type NodeConfig, parseConfig } from './config.ts'
import { createApiNode } from './node.ts'
import { refuseOtherChain } from './other-chain.ts'
import { refuseOtherDomain } from './other-domain.ts'
import { openProbePort } from './probe-port.ts'
import { openProcess, runUntil } from './process.ts'
import { readPublished } from './published-deployment.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable, and
 * when the node cannot go on.
 */
export async function runNode(
  env: Readonly<Record<string, string | undefined>>,
  stopped: Promise<void>,
): Promise<void> {
  const config = parseConfig(env)
  const { host, port } = config
  void watchService(env, { host, port, path: '/health' })
  const published = readPublished(config)
  const terminal = readTerminal(config.terminalDir, {
    integratedUrl: config.publicIntegratedUrl,
    faucetUrl: config.gas.faucetUrl,
  })
  const { probePort: probesAt } = config
  const probePort =
    probesAt === undefined ? undefined : await openProbePort({ host, port: probesAt })
  const opened = await openProcess(config, config.port)
  const accounts = createAccountDeps(opened.store, {
    ...withAccounts(config, published),
    log: opened.deps.logger,
  })
  const api = await createApiNode({ ...opened.deps, probePort, accounts, published, terminal })
  const ended = Promise.race([stopped, wrongChain(config, published)])
  // Not awaited while the node starts.
  ended.catch(() => {})
  await runUntil(ended, api, opened)
  await probePort?.close()
}

/** Rejects when the chain, or its signature domain, is another one; never resolves. */
async function wrongChain(
  { rpcUrls, settings }: NodeConfig,
  published: PublishedVenue,
): Promise<never> {
  const { chainId, domainName, accountsContract } = settings
  await refuseOtherChain({ rpcUrls, chainId })
  const contracts = {
    ...published.contracts,
    ...(accountsContract === undefined ? {} : { accounts: accountsContract }),
  }
  await refuseOtherDomain({ rpcUrls, chainId, domainName, contracts })
  return new Promise<never>(() => {})
}

/** The deployment's contract of accounts, unless a variable names another. */
function withAccounts(config: NodeConfig, { contracts }: PublishedVenue): NodeConfig {
  const { settings } = config
  const accountsContract = settings.accountsContract ?? contracts.accounts
  return { ...config, settings: { ...settings, accountsContract } }
}
