// The thread that answers probes from the state that the node last reported.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProbeOptions, ProbeState } from './probe-port.ts'

const { host, port, stalledMs } = workerData as ProbeOptions
let state: ProbeState | undefined
let reportedMs = 0

type ProbeAnswer = Readonly<{ isOk: boolean; body: object }>

const isStalled = () => state !== undefined && performance.now() - reportedMs > stalledMs

function readHealth(): ProbeAnswer {
  return isStalled()
    ? { isOk: false, body: { status: 'stalled' } }
    : { isOk: true, body: { status: 'ok' } }
}

function readReadiness(isForTraffic: boolean): ProbeAnswer {
  if (state === undefined)
    return { isOk: false, body: { status: 'not_ready', awaiting: 'the start of the node' } }
  const { readiness, isReady, canServe } = state
  if (!isStalled()) {
    const isOk = isForTraffic ? canServe : isReady
    return { isOk, body: { ...readiness, status: isOk ? 'ready' : 'not_ready' } }
  }
  const checks = { ...readiness.checks, process: { ok: false, error: 'stalled' } }
  return { isOk: false, body: { ...readiness, status: 'not_ready', checks } }
}

function answer({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(url, 'http://probe')
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && pathname === '/health') write(response, readHealth())
  else if (isRead && pathname === '/ready')
    write(response, readReadiness(searchParams.get('for') === 'traffic'))
  else response.writeHead(404, { connection: 'close' }).end()
}

function write(response: ServerResponse, { isOk, body }: ProbeAnswer): void {
  response.writeHead(isOk ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

parentPort?.on('message', (reported: ProbeState) => {
  state = reported
  reportedMs = performance.now()
})

const server = createServer(answer)
server.listen(port, host, () => {
  const { address, family, port: bound } = server.address() as AddressInfo
  parentPort?.postMessage(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`)
})
