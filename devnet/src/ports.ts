// Opens the ports of a starting venue: both hosts answer from the first moment.
import { openStartingPort, type StartingPort } from '@openvenue/api/http/starting-port'
import { anvilPidPath, readMark } from './anvil-mark.ts'
import type { DevnetConfig } from './config.ts'
import { isPortTaken, portTaken, requireFree } from './port-checks.ts'
import type { StartingPorts, Startup } from './startup.ts'
import { VERSION } from './version.ts'

/**
 * Makes the ports of both hosts answer that the venue is starting. Throws `ConfigInvalid` with the
 * name of the variable when a port of the venue is taken.
 */
export async function openPorts(config: DevnetConfig, startup: Startup): Promise<StartingPorts> {
  const { host, corsOrigins, dataDir, anvilPort, indexerPort, keeperPort, settings } = config
  const open = (name: string, port: number): Promise<StartingPort> =>
    openStartingPort({
      host,
      port,
      environment: 'devnet',
      version: VERSION,
      trading: settings.trading,
      corsOrigins,
      awaiting: () => startup.awaiting,
    }).catch((error: unknown) => {
      throw isPortTaken(error) ? portTaken(name, port) : error
    })
  // These ports are opened later: an early error is better than one after ten seconds. A chain left
  // behind by a killed venue of this directory is ended before the port is used.
  if (readMark(anvilPidPath(dataDir))?.port !== anvilPort)
    await requireFree('ANVIL_PORT', '127.0.0.1', anvilPort)
  await requireFree('INDEXER_PORT', host, indexerPort)
  await requireFree('KEEPER_PORT', host, keeperPort)
  const api = await open('PORT', config.port)
  const integrated = await open('INTEGRATED_PORT', config.integratedPort)
  return { api, integrated }
}

/** Ports that are opened late, when another venue may have taken them meanwhile. */
const LATE_PORTS = [
  ['INDEXER_PORT', 'indexerPort'],
  ['KEEPER_PORT', 'keeperPort'],
] as const

/** Returns the error of a start, with the name of the variable when a port was taken meanwhile. */
export function namePort(error: unknown, config: DevnetConfig): unknown {
  if (!isPortTaken(error)) return error
  const { port } = error as Readonly<{ port?: number }>
  const [name] = LATE_PORTS.find(([, key]) => config[key] === port) ?? []
  return name === undefined || port === undefined ? error : portTaken(name, port)
}
