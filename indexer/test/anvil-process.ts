// Starts anvil and caches a dump of a chain with the venue deployed on it: loading the dump is
// several times faster than deploying again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { cachedFile, contentKey } from '@openvenue/store/test/cached-file'
import type { IndexerDeployment } from '../src/deployment.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Addresses and time of a deployed venue. */
type DeployedVenue = Readonly<{ usdc: string; deployment: IndexerDeployment; seconds: number }>

/** The state file that anvil loads. Anvil ignores the additional member `venue`. */
export type VenueImage = Readonly<{ venue: DeployedVenue } & Record<string, unknown>>

/** Starts anvil's binary directly: the npm launcher would add a Node process around it. */
export function spawnAnvil(more: readonly string[]): ChildProcess {
  const args = ['--silent', '--gas-limit', '300000000', ...more]
  return spawn(anvilPath(), args, { stdio: 'ignore' })
}

function anvilPath(): string {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${machine}`
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return createRequire(import.meta.url).resolve(`${name}/bin/anvil${suffix}`)
}

const paths = new Map<number, Promise<string>>()

/** Returns the path of the image with `wallets` accounts. Calls `make` if it is missing. */
export function imagePath(wallets: number, make: () => Promise<VenueImage>): Promise<string> {
  const path =
    paths.get(wallets) ??
    cachedFile(
      { name: `venue-of-${wallets}-wallets`, key: imageKey(), suffix: '.json' },
      async () => Buffer.from(JSON.stringify(await make())),
    )
  paths.set(wallets, path)
  return path
}

const images = new Map<string, Promise<DeployedVenue>>()

/** Returns the deployment stored in the image at `path`. */
export function readImage(path: string): Promise<DeployedVenue> {
  const image = images.get(path) ?? readFile(path, 'utf8').then((text) => JSON.parse(text).venue)
  images.set(path, image)
  return image
}

/** Hashes all inputs of an image: the contracts, the deployment code and anvil's version. */
function imageKey(): string {
  const files = [
    ...globSync('contracts/abi/*.ts', { cwd: ROOT }).sort(),
    'indexer/test/anvil-venue.ts',
    'indexer/test/anvil-process.ts',
    'indexer/test/encode.ts',
    'node_modules/@foundry-rs/anvil/package.json',
  ]
  return contentKey(
    files.map((file) => join(ROOT, file)),
    files,
  )
}

/** Returns a port that was free when it was checked. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
