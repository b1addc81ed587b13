// Ends with 0 if the service at a port of this machine answers, ready or not: for the HEALTHCHECK
// of containers. `node ops/alive.ts 3000`. Whether it is of use says /ready, to the proxy.
const [port = '3000'] = process.argv.slice(2)
const WITHIN_MS = 4_000

try {
  // Every service has it, and it asks neither the database nor a node.
  const url = `http://127.0.0.1:${port}/metrics`
  await (await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })).arrayBuffer()
} catch {
  process.exitCode = 1
}
