// Puts an API node together from the environment and runs it until it is asked to stop.
import { watchService } from '@openvenue/store/service-watch'
import type { Published } from '../rest/published.ts'
import { readTerminal } from '../rest/terminal-files.ts'
import { createAccountDeps } from './account-deps.ts'
import { type Config, parseConfig } from './config.ts'
import { createApiNode } from './node.ts'
import { refuseOtherChain } from './other-chain.ts'
import { refuseOtherDomain } from './other-domain.ts'
import { openProcess, runUntil } from './process.ts'
import { readPublished } from './published-deployment.ts'

/**
 * Runs a node until `stopped` resolves. Rejects with `ConfigInvalid`, which names the variable, or
 * when the node can no longer hold.
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
  const opened = await openProcess(config, config.port)
  const accounts = createAccountDeps(opened.store, withAccounts(config, published))
  const api = await createApiNode({ ...opened.deps, accounts, published, terminal })
  const ended = Promise.race([stopped, wrongChain(config, published)])
  // While the node starts nobody waits for it yet.
  ended.catch(() => {})
  await runUntil(ended, api, opened)
}

/**
 * Rejects where the chain is another, or verifies what clients sign in another domain; never
 * resolves: that both are ours ends nothing.
 */
async function wrongChain({ rpcUrls, settings }: Config, published: Published): Promise<never> {
  const { chainId, domainName, accountsContract } = settings
  await refuseOtherChain({ rpcUrls, chainId })
  const contracts = {
    ...published.contracts,
    ...(accountsContract === undefined ? {} : { accounts: accountsContract }),
  }
  await refuseOtherDomain({ rpcUrls, chainId, domainName, contracts })
  return new Promise<never>(() => {})
}

/** The contract of accounts is that of the deployment, unless a variable names another. */
function withAccounts(config: Config, { contracts }: Published): Config {
  const { settings } = config
  const accountsContract = settings.accountsContract ?? contracts.accounts
  return { ...config, settings: { ...settings, accountsContract } }
}
