// Probes at a port of their own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { afterEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@openvenue/core/test/until'
import type { Readiness } from '@openvenue/wire/service'
import { openProbePort, type ProbePort, reportState } from './probe-port.ts'

const LOCAL = { host: '127.0.0.1', port: 0 }
const READINESS: Readiness = {
  status: 'ready',
  checks: { redis: { ok: true }, rpc: { ok: true, head: 7 }, indexer: { ok: true, lag: 0 } },
  timestamp: 1,
}
const NOT_READY: Readiness = {
  ...READINESS,
  status: 'not_ready',
  checks: { ...READINESS.checks, redis: { ok: false, error: 'timeout' } },
}

let port: ProbePort
afterEach(() => port.close())

async function ask(path: string) {
  const response = await fetch(`${port.url}${path}`, { headers: { connection: 'close' } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Asks from another process, while this one does nothing else. */
function askBlocked(path: string) {
  const program = `const r = await fetch('${port.url}${path}'); console.log(r.status, await r.text())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  const [status = '', ...body] = stdout.toString().split(' ')
  return { status: Number(status), body: JSON.parse(body.join(' ')) as Record<string, unknown> }
}

test('the probe port of a starting node is alive and not ready', async () => {
  port = await openProbePort(LOCAL)
  assert.deepEqual(await ask('/health'), { status: 200, body: { status: 'ok' } })
  const { status, body } = await ask('/ready')
  assert.deepEqual([status, body.status], [503, 'not_ready'])
  assert.equal((await fetch(`${port.url}/markets`)).status, 404)
})

test('the probe port answers what the node last reported, also for load balancers', async () => {
  port = await openProbePort(LOCAL)
  port.report({ readiness: READINESS, isReady: true, canServe: true })
  await until('it is ready', async () => (await ask('/ready')).status === 200)
  assert.deepEqual((await ask('/ready')).body, READINESS)
  port.report({ readiness: NOT_READY, isReady: false, canServe: true })
  await until('it is not ready', async () => (await ask('/ready')).status === 503)
  assert.deepEqual((await ask('/ready')).body, NOT_READY)
  assert.equal((await ask('/ready?for=traffic')).status, 200)
})

test('the probe port reports a node whose event loop is stalled, without waiting for it', async () => {
  port = await openProbePort({ ...LOCAL, stalledMs: 1 })
  port.report({ readiness: READINESS, isReady: true, canServe: true })
  await until('it is reported', async () => (await ask('/ready')).body.awaiting === undefined)
  const { status, body } = askBlocked('/ready?for=traffic')
  assert.deepEqual([status, body.status], [503, 'not_ready'])
  assert.deepEqual((body.checks as Record<string, unknown>).process, {
    ok: false,
    error: 'stalled',
  })
  assert.deepEqual(askBlocked('/health'), { status: 503, body: { status: 'stalled' } })
})

test('the probe port learns the state repeatedly, and at once that the node stops', async () => {
  port = await openProbePort(LOCAL)
  const [stopping, closed] = [new AbortController(), new AbortController()]
  let readiness = READINESS
  const wait = (ms: number, signal: AbortSignal) =>
    delay(ms, undefined, { signal }).catch(() => undefined)
  const reporting = reportState(
    { readiness: async () => ({ readiness, canServe: true }), stopping },
    { probePort: port, clock: { delay: wait } },
    closed.signal,
  )
  await until('it is ready', async () => (await ask('/ready')).status === 200)
  readiness = NOT_READY
  await until('it is not ready', async () => (await ask('/ready')).status === 503)
  assert.equal((await ask('/ready?for=traffic')).status, 200)
  stopping.abort()
  await until('it stops', async () => (await ask('/ready?for=traffic')).status === 503)
  closed.abort()
  await reporting
})

test('a probe port that is in use is refused', async () => {
  port = await openProbePort(LOCAL)
  const taken = Number(new URL(port.url).port)
  await assert.rejects(openProbePort({ ...LOCAL, port: taken }), /EADDRINUSE/)
})
