// Starts a devnet for a test: its own directory, free ports, no rate limit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, parseConfig } from '@openvenue/devnet/config'
import { createDevnet, type Devnet } from '@openvenue/devnet/devnet'
import { PACES } from '@openvenue/devnet/pace'
import { pino } from 'pino'
import { copyPast } from './shared-past.ts'

export type TestVenue = Readonly<{ devnet: Devnet; dataDir: string; remove(): Promise<void> }>

/**
 * Starts a venue whose traders act five times a second, after a short past. In a run of all tests
 * that past is the same for all whose traders and past are these.
 */
export async function startVenue(overrides: Partial<Config> = {}): Promise<TestVenue> {
  const dataDir = overrides.dataDir ?? newDataDir()
  const hasOwnPast = ['dataDir', 'historyHours', 'pace'].some((name) => name in overrides)
  if (!hasOwnPast) await copyPast(dataDir, makePast, process.env.VENUE_PAST_DIR)
  const devnet = await open({ ...overrides, dataDir })
  const remove = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { devnet, dataDir, remove }
}

const makePast = async (dataDir: string) => (await open({ dataDir })).stop()

const open = (overrides: Partial<Config> & Readonly<{ dataDir: string }>): Promise<Devnet> =>
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
