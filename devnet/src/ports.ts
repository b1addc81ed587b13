// Opens the ports of a venue that starts: both hosts answer from the first moment on.
import { createServer } from 'node:net'
import { openStartingPort, type StartingPort } from '@openvenue/api/http/starting-port'
import { ConfigInvalid } from '@openvenue/store/environment'
import type { Config } from './config.ts'
import type { StartingPorts, Startup } from './startup.ts'
import { VERSION } from './version.ts'

/**
 * Lets the ports of both hosts answer that the venue starts. Throws `ConfigInvalid` with the name
 * of the variable when a port of the venue is taken.
 */
export async function openPorts(config: Config, startup: Startup): Promise<StartingPorts> {
  const { host, corsOrigins, indexerPort, keeperPort, settings } = config
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
      throw refusal(error, name, port)
    })
  // These listen later: to find out now is kinder than in ten seconds.
  await requireFree('INDEXER_PORT', host, indexerPort)
  await requireFree('KEEPER_PORT', host, keeperPort)
  const api = await open('PORT', config.port)
  const integrated = await open('INTEGRATED_PORT', config.integratedPort)
  return { api, integrated }
}

function requireFree(name: string, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(refusal(error, name, port)))
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}

function refusal(error: unknown, name: string, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error
  return new ConfigInvalid(
    `${name} is a free port, or 0 for any (${port} is in use by another program)`,
  )
}
