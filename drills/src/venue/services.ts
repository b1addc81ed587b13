// Configures each process of the venue: all its connections use links.
import { fileURLToPath } from 'node:url'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import type { WholeDeployment } from '@openvenue/devnet/deployment'
import { ROLES } from '@openvenue/devnet/roles'
import { toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { freePort } from '../net/ports.ts'
import type { Links } from './links.ts'
import { Service } from './service.ts'

/** Deeper than the maximum loss of a killed chain. */
const FINALITY_BLOCKS = 120
/** Nodes per process: the minimum with which one can be outvoted. */
const NODES = 3
/** Environment of an API node that accepts orders. */
const ACCEPTING = {
  RELAY_RECEIPT_KEY: derivePrivateKey(ROLES.receipts),
  RELAY_BUDGET_INITIAL: 'off',
}
/** Far above the requests of a run: counting is tested, refusing is not. */
const RATE = '1000000/60'

export type Backends = Readonly<{
  links: Pick<Links, 'open' | 'openNodes'>
  deployment: WholeDeployment
  chainUrl: string
  priceUrl: string
  databasePort: number
  replicaPort: number
  redisPort: number
  /** User with its password, and name, of the database. */
  database: Readonly<{ user: string; name: string }>
  /** Folder of `deployment.json`. */
  dataDir: string
  /** Folder of logs. */
  folder: string
  /** Keepers relay orders, and API nodes accept them. */
  relays: boolean
}>

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const databaseUrl = ({ database: { user, name } }: Backends, port: number) =>
  `postgres://${user}@127.0.0.1:${port}/${name}`

/** Returns comma-separated URLs. */
const joinUrls = (scheme: 'http' | 'ws', ports: readonly number[]) =>
  ports.map((port) => `${scheme}://127.0.0.1:${port}`).join(',')

export async function createIndexerService(name: string, backends: Backends): Promise<Service> {
  const { links, databasePort, chainUrl, dataDir, folder } = backends
  const port = await freePort()
  const nodes = await links.openNodes(name, chainUrl, NODES)
  return new Service({
    name,
    folder,
    main: root('indexer/src/main.ts'),
    url: `http://127.0.0.1:${port}`,
    env: {
      ...indexerEnv(port, dataDir),
      DATABASE_URL: databaseUrl(backends, await links.open(name, 'database', databasePort)),
      RPC_URL: joinUrls('http', nodes),
      RPC_WS_URL: joinUrls('ws', nodes),
    },
  })
}

/** Environment of all indexers, including those used for comparison. */
export const indexerEnv = (port: number, dataDir: string) => ({
  INDEXER_PORT: String(port),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'info',
  FINALITY_BLOCKS: String(FINALITY_BLOCKS),
})

export async function createApiService(
  name: string,
  backends: Backends,
  indexers: readonly Service[],
): Promise<Service> {
  const { links, deployment, folder } = backends
  const port = await freePort()
  const indexerPorts = await Promise.all(
    indexers.map(({ url }) => links.open(name, 'indexer', Number(new URL(url).port))),
  )
  return new Service({
    name,
    folder,
    main: root('api/src/node/main.ts'),
    url: `http://127.0.0.1:${port}`,
    env: {
      PORT: String(port),
      LOG_LEVEL: 'info',
      READY_CACHE_MS: '500',
      RATE_LIMIT_PUBLIC: RATE,
      RATE_LIMIT_PRIVATE: RATE,
      RATE_LIMIT_REGISTER: RATE,
      WS_AUTH_PER_CONNECTION: '1000',
      WS_AUTH_PER_IP: '100000',
      ACCOUNTS_ADDRESS: deployment.accounts,
      ...(backends.relays ? ACCEPTING : {}),
      DATABASE_URL: databaseUrl(
        backends,
        await links.open(name, 'database', backends.databasePort),
      ),
      DATABASE_READ_URL: databaseUrl(
        backends,
        await links.open(name, 'replica', backends.replicaPort),
      ),
      REDIS_URL: `redis://127.0.0.1:${await links.open(name, 'redis', backends.redisPort)}`,
      RPC_URL: joinUrls('http', await links.openNodes(name, backends.chainUrl, NODES)),
      PUBLIC_RPC_URL: backends.chainUrl,
      INDEXER_URL: joinUrls('http', indexerPorts),
    },
  })
}

export async function createKeeperService(name: string, backends: Backends): Promise<Service> {
  const { links, priceUrl, databasePort, chainUrl, dataDir, folder } = backends
  const port = await freePort()
  return new Service({
    name,
    folder,
    main: root('keeper/src/main.ts'),
    url: `http://127.0.0.1:${port}`,
    env: {
      KEEPER_PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      KEEPER_KEY: derivePrivateKey(ROLES.keeper),
      KEEPER_PRICE_URL: priceUrl,
      ...(backends.relays ? { RELAY_KEYS: ROLES.relayers.map(derivePrivateKey).join() } : {}),
      DATABASE_URL: databaseUrl(backends, await links.open(name, 'database', databasePort)),
      RPC_URL: joinUrls('http', await links.openNodes(name, chainUrl, NODES)),
    },
  })
}

/** Returns the private key of an account of the mnemonic. */
function derivePrivateKey(addressIndex: number): string {
  const { privateKey } = mnemonicToAccount(MNEMONIC, { addressIndex }).getHdKey()
  if (privateKey === null) throw new Error('the mnemonic yields no private key')
  return toHex(privateKey)
}
