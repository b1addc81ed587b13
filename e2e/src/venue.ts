// Starts a devnet for a test: its own directory, free ports, no rate limit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, parseConfig } from '@openvenue/devnet/config'
import { createDevnet, type Devnet } from '@openvenue/devnet/devnet'
import { PACES } from '@openvenue/devnet/pace'
import { pino } from 'pino'

export type TestVenue = Readonly<{ devnet: Devnet; dataDir: string; remove(): Promise<void> }>

/** Starts a venue whose traders act five times a second, after a short past. */
export async function startVenue(overrides: Partial<Config> = {}): Promise<TestVenue> {
  const dataDir = overrides.dataDir ?? newDataDir()
  const config = {
    ...parseConfig({}),
    dataDir,
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
  }
  const devnet = await createDevnet(config, pino({ level: 'warn' }, pino.destination(2)))
  const remove = async () => {
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { devnet, dataDir, remove }
}

export const newDataDir = () => mkdtempSync(join(tmpdir(), 'openvenue-e2e-'))
