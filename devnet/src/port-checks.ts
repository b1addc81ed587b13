// Checks that a port is free, and finds the program that uses it.
import { createServer } from 'node:net'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { findProcess } from './find-process.ts'

/** Throws `ConfigInvalid` with the name of the variable when `port` is taken. */
export function requireFree(name: string, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(isPortTaken(error) ? portTaken(name, port) : error))
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}

export const isPortTaken = (error: unknown) =>
  (error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE'

/** A chain is named with its process, which a killed venue may have left behind. */
export function portTaken(name: string, port: number): ConfigInvalid {
  const pid = findProcess('anvil', ` --port ${port} `)
  const holder =
    pid === undefined ? 'another program' : `the chain of another venue, process ${pid}`
  return new ConfigInvalid(`${name} is a free port, or 0 for any (${port} is in use by ${holder})`)
}
