// Checks what a venue promised of orders against the chain, with public data only: npm run
// check-relay -- http://127.0.0.1:3000 [--rpc http://127.0.0.1:8545] Without --rpc it asks a node
// that GET /info names. Exits with 1 when a promise is broken.
import { parseArgs } from 'node:util'
import type { Info } from '@openvenue/wire/info'
import { checkRelay } from './relay-check/check.ts'
import { createRpc } from './relay-check/rpc.ts'
import { createGet } from './relay-check/venue.ts'

const USAGE = 'usage: npm run check-relay -- <url of the API> [--rpc <url of a node>]'

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { rpc: { type: 'string' } },
    allowPositionals: true,
  })
  const [url] = positionals
  if (url === undefined || URL.parse(url) === null) throw new Error(USAGE)
  const get = createGet(url.replace(/\/$/, ''))
  const rpcUrl = values.rpc ?? (await get<Info>('/info')).network.rpc_urls[0]
  if (rpcUrl === undefined) throw new Error(`/info names no chain node: pass --rpc\n${USAGE}`)
  const { broken, counts } = await checkRelay(get, createRpc(rpcUrl))
  const lines = Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
  const faults = broken.map(({ orderId, seq, reason }) => `BROKEN ${seq} ${orderId}: ${reason}`)
  const verdict = broken.length === 0 ? 'every promise was kept' : `${broken.length} broken`
  process.stdout.write(`${[...lines, ...faults, verdict].join('\n')}\n`)
  return broken.length === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  },
)
