// Health check of containers: exits with 0 if the service at a local port answers, ready or not.
// Usage: `node ops/alive.ts 3000`. Readiness is the proxy's concern: see /ready.
const [port = '3000'] = process.argv.slice(2)
const WITHIN_MS = 4_000

try {
  // Every service has this endpoint, which depends on neither the database nor a chain node.
  const url = `http://127.0.0.1:${port}/metrics`
  await (await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })).arrayBuffer()
} catch {
  process.exitCode = 1
}
