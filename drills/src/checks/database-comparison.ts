// Checks after a drill that the database equals that of an indexer that reads the same chain
// without faults, from its first block to the same head, into a new database.
import { fileURLToPath } from 'node:url'
import { tableDump } from '@openvenue/store/maintenance/dump'
import { openStore } from '@openvenue/store/open'
import { ChainProxy } from '../net/chain-proxy.ts'
import { freePort } from '../net/ports.ts'
import { until } from '../servers/until.ts'
import { Service } from '../venue/service.ts'
import { indexerEnv } from '../venue/services.ts'
import type { Venue } from '../venue/venue.ts'

const MAIN = fileURLToPath(new URL('../../../indexer/src/main.ts', import.meta.url))
const READ_MS_MAX = 120_000
/** Attempts, since a reorganisation may happen between two dumps. */
const TRIES_MAX = 3
const SHOWN_MAX = 3

/** Throws when a table differs, with the first differing lines. */
export async function compareWithFreshIndex(venue: Venue): Promise<void> {
  for (let tried = 1; ; tried++) {
    const actual = await dumpTables(venue, 'venue')
    const expected = await dumpFreshIndex(venue, Number(/^head (\d+)/.exec(actual)?.[1]))
    if (actual === expected) return
    const isSameHead = firstLine(actual) === firstLine(expected)
    if (isSameHead || tried === TRIES_MAX) throw new Error(describeDifference(actual, expected))
  }
}

const firstLine = (text: string) => text.slice(0, text.indexOf('\n'))

async function dumpTables({ parts }: Venue, database: string): Promise<string> {
  const { port } = parts.database
  const store = await openStore({ databaseUrl: parts.database.url(port, database) })
  try {
    return withoutSupply(await tableDump(store))
  } finally {
    await store.close()
  }
}

/** The supply of a pool's token is read when it is first seen: no log has it. */
const withoutSupply = (dump: string) => dump.replaceAll(/^(pool_tokens .*) \d+$/gm, '$1')

/** Returns the dump of a new database indexed up to block `head`. */
async function dumpFreshIndex(venue: Venue, head: number): Promise<string> {
  const { database, folder, chain } = venue.parts
  const name = `fresh_index_${head}`
  await database.query(`DROP DATABASE IF EXISTS ${name}`)
  await database.query(`CREATE DATABASE ${name}`)
  const node = await ChainProxy.open(chain.url)
  node.fault = { kind: 'stuck', block: head }
  const port = await freePort()
  const indexer = new Service({
    name,
    folder,
    main: MAIN,
    url: `http://127.0.0.1:${port}`,
    env: {
      ...indexerEnv(port, `${folder}/chain`),
      DATABASE_URL: database.url(database.port, name),
      RPC_URL: `http://127.0.0.1:${node.port}`,
    },
  })
  try {
    indexer.start()
    await until(`block ${head} is indexed`, () => isSyncedTo(indexer, head), READ_MS_MAX)
    return await dumpTables(venue, name)
  } finally {
    await indexer.stop()
    await node.close()
    await database.query(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

async function isSyncedTo({ url }: Service, head: number): Promise<boolean> {
  const response = await fetch(`${url}/ready`)
  return ((await response.json()) as { synced: number }).synced === head
}

function describeDifference(actual: string, expected: string): string {
  const actualLines = new Set(actual.split('\n'))
  const expectedLines = new Set(expected.split('\n'))
  const wrong = [...actualLines].filter((line) => !expectedLines.has(line))
  const missing = [...expectedLines].filter((line) => !actualLines.has(line))
  const shown = [
    ...wrong.slice(0, SHOWN_MAX).map((line) => `wrong: ${line}`),
    ...missing.slice(0, SHOWN_MAX).map((line) => `missing: ${line}`),
  ]
  const counts = `${wrong.length} wrong lines, ${missing.length} missing`
  return `the tables differ from those of an uninterrupted run (${counts}):\n${shown.join('\n')}`
}
