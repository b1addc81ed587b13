// Runs a devnet for the bench in a folder of its own. Its argument (JSON: variables, optionally a
// pace of the traders) overrides the defaults below. Sends its addresses over IPC, and stops and
// cleans up when the parent process asks or ends.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '@openvenue/devnet/config'
import type { WholeDeployment } from '@openvenue/devnet/deployment'
import { createDevnet } from '@openvenue/devnet/devnet'
import type { Pace } from '@openvenue/devnet/pace'
import { pino } from 'pino'

export type DevnetMessage = Readonly<{
  apiUrl: string
  rpcUrl: string
  indexerUrl: string
  dataDir: string
  deployment: WholeDeployment
  anvilPid: number
}>

const dataDir = await mkdtemp(join(tmpdir(), 'openvenue-bench-'))
const { pace, ...variables } = JSON.parse(process.argv[2] ?? '{}') as { pace?: Pace }
const parsed = parseConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  INDEXER_PORT: '0',
  INTEGRATED_PORT: '0',
  KEEPER_PORT: '0',
  ANVIL_PORT: '0',
  HISTORY_HOURS: '1',
  RATE_LIMIT_PUBLIC: 'off',
  ...variables,
})
const config = { ...parsed, pace: pace ?? parsed.pace }
const devnet = await createDevnet(config, pino({ level: 'warn' }))
const { apiUrl, rpcUrl, indexerUrl, deployment } = devnet
const { anvil: anvilPid } = devnet.pids()
const said = { apiUrl, rpcUrl, indexerUrl, dataDir, deployment, anvilPid }
process.send?.(said satisfies DevnetMessage)
await Promise.race([untilAsked(), devnet.failed])
await devnet.stop()
await rm(dataDir, { recursive: true, force: true })
process.exit(0)

function untilAsked(): Promise<void> {
  return new Promise((resolve) => {
    process.once('message', () => resolve())
    process.once('disconnect', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
