// Starts a devnet for a test: its own directory, free ports, no rate limit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DevnetConfig, parseConfig } from '@openvenue/devnet/config'
import { createDevnet, type Devnet } from '@openvenue/devnet/devnet'
import { PACES } from '@openvenue/devnet/pace'
import { pino } from 'pino'
import { copyPast } from './shared-past.ts'

export type TestVenue = Readonly<{ devnet: Devnet; dataDir: string; remove(): Promise<void> }>

/** Hours of trades in the shared history, at least as many as any venue needs. */
const PAST_HOURS = 2

/**
 * Starts a venue whose traders act five times a second, after a short history. In a run of all
 * tests the history is a copy of a shared one, and so is a venue without any.
 */
export async function startVenue(overrides: Partial<DevnetConfig> = {}): Promise<TestVenue> {
  const { dataDir = newDataDir(), historyHours = 1 } = overrides
  const isTraded = historyHours > 0 && !('pace' in overrides && overrides.pace === undefined)
  if (overrides.dataDir === undefined && historyHours <= PAST_HOURS)
    await (isTraded ? copyTraded(dataDir) : copyDeployed(dataDir))
  const devnet = await open({ ...overrides, dataDir })
  const remove = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { devnet, dataDir, remove }
}

/**
 * Fills `dataDir` with a deployed venue without history, in a run of all tests, which makes a start
 * faster. Otherwise it stays empty, and the start does everything.
 */
export const copyDeployed = (dataDir: string) =>
  copyShared(dataDir, 'deployed', { historyHours: 0, pace: undefined })

/** Fills `dataDir` with a venue that has traded and has full books, in a run of all tests. */
export const copyTraded = (dataDir: string) =>
  copyShared(dataDir, 'traded', { historyHours: PAST_HOURS })

async function copyShared(
  dataDir: string,
  name: string,
  config: Partial<DevnetConfig>,
): Promise<void> {
  const sharedDir = process.env.VENUE_PAST_DIR
  const make = async (folder: string) => (await open({ ...config, dataDir: folder })).stop()
  await copyPast(dataDir, make, sharedDir && join(sharedDir, name))
}

const open = (overrides: Partial<DevnetConfig> & Readonly<{ dataDir: string }>): Promise<Devnet> =>
  createDevnet(
    {
      ...parseConfig({}),
      port: 0,
      indexerPort: 0,
      integratedPort: 0,
      anvilPort: 0,
      keeperPort: 0,
      publicRate: undefined,
      integratedRate: undefined,
      historyHours: 1,
      pace: { ...PACES.calm, lookMs: 200, poolMs: 1_000 },
      ...overrides,
    },
    pino({ level: 'warn' }, pino.destination(2)),
  )

export const newDataDir = () => mkdtempSync(join(tmpdir(), 'openvenue-e2e-'))
