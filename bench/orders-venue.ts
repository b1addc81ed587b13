// Starts the target of the orders: a devnet without traders on the PostgreSQL of the bench, and an
// API node in a process of its own in front of it.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '@openvenue/devnet/anvil'
import { ROLES } from '@openvenue/devnet/roles'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { Client } from 'pg'
import { privateKeyToAddress } from 'viem/accounts'
import { cpuMicrosOf, cpuMicrosOfAll, parentOf } from './cpu.ts'
import type { DevnetMessage } from './devnet.ts'
import { nextMessage } from './versus.ts'

/** Disables all limits: the capacity of the venue is measured. */
const NO_LIMITS = {
  RATE_LIMIT_PUBLIC: 'off',
  RATE_LIMIT_PRIVATE: 'off',
  RATE_LIMIT_ORDERS: 'off',
  RATE_LIMIT_REGISTER: 'off',
  RELAY_BUDGET_INITIAL: '1000000000',
}
const READY_POLL_MS = 100
const NODE_MAIN = fileURLToPath(new URL('../api/src/node/main.ts', import.meta.url))

/** CPU time so far in microseconds, by part of the venue. */
export type PartMicros = Readonly<Record<'api' | 'venue' | 'anvil' | 'postgres', number>>

export type OrdersVenue = Readonly<{
  spoken: DevnetMessage
  /** URL of the API node that receives the orders. */
  apiUrl: string
  /** Addresses of the relayer's wallets in lower case, the one for cancels first. */
  relayers: readonly string[]
  cpuMicros: () => PartMicros
  /** Stops everything except the chain and PostgreSQL permanently. */
  freeze: () => void
  stop: () => Promise<void>
}>

/** Starts both over an empty database. */
export async function startOrdersVenue(databaseUrl: string): Promise<OrdersVenue> {
  const settings = { ...NO_LIMITS, DATABASE_URL: databaseUrl, TRADERS: 'off', HISTORY_HOURS: '0' }
  const flags = profileFlags('venue')
  const devnet = fork(new URL('./devnet.ts', import.meta.url), [JSON.stringify(settings)], {
    execArgv: flags,
  })
  const spoken = await nextMessage<DevnetMessage>(devnet)
  const port = await freePort()
  const node = startNode({ spoken, databaseUrl, port })
  const apiUrl = `http://127.0.0.1:${port}`
  await ready(node, `${apiUrl}/ready`)
  const postmaster = await postmasterOf(databaseUrl)
  let isFrozen = false
  return {
    spoken,
    apiUrl,
    relayers: ROLES.relayers.map((role) =>
      privateKeyToAddress(derivePrivateKey(role)).toLowerCase(),
    ),
    cpuMicros: () => ({
      api: cpuMicrosOf(node.pid ?? 0),
      venue: cpuMicrosOf(devnet.pid ?? 0),
      anvil: cpuMicrosOf(spoken.anvilPid),
      postgres: cpuMicrosOfAll(postmaster),
    }),
    freeze: () => {
      isFrozen = true
      for (const child of [node, devnet]) child.kill('SIGSTOP')
    },
    stop: async () => {
      if (isFrozen) return killAll([node, devnet], spoken)
      node.kill('SIGTERM')
      await ended(node)
      if (devnet.connected) devnet.send('stop')
      await ended(devnet)
    },
  }
}

/** PROFILE is a folder: each process of the venue writes its CPU profile there. */
const profileFlags = (name: string) => {
  const { PROFILE } = process.env
  return PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${join(PROFILE, name)}`] : []
}

type NodeOf = Readonly<{ spoken: DevnetMessage; databaseUrl: string; port: number }>

function startNode({ spoken, databaseUrl, port }: NodeOf): ChildProcess {
  const { rpcUrl, indexerUrl, dataDir, deployment } = spoken
  return spawn(process.execPath, [...profileFlags('api'), NODE_MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...NO_LIMITS,
      PATH: process.env.PATH,
      NETWORK: 'devnet',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      RPC_URL: rpcUrl,
      INDEXER_URL: indexerUrl,
      DEPLOYMENT_FILE: join(dataDir, 'deployment.json'),
      ACCOUNTS_ADDRESS: deployment.accounts,
      RELAY_RECEIPT_KEY: derivePrivateKey(ROLES.receipts),
      CANCELLER_ADDRESS: privateKeyToAddress(derivePrivateKey(ROLES.relayers[0])).toLowerCase(),
    },
  })
}

async function ready(node: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (node.exitCode !== null) throw new Error(`the API node ended with ${node.exitCode}`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(READY_POLL_MS)
  }
}

async function killAll(children: readonly ChildProcess[], { anvilPid, dataDir }: DevnetMessage) {
  for (const child of children) child.kill('SIGKILL')
  process.kill(anvilPid, 'SIGKILL')
  await Promise.all(children.map(ended))
  await rm(dataDir, { recursive: true, force: true })
}

/** Returns the parent process of all connections. */
async function postmasterOf(connectionString: string): Promise<number> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const postmaster = parentOf(Number(rows[0]?.pid))
  await client.end()
  return postmaster
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
