import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Problem } from '@openvenue/wire/field'
import { Health, Readiness } from '@openvenue/wire/service'
import { Value } from 'typebox/value'
import { WebSocket } from 'ws'
import { scenarioNode } from '../../test/scenario-node.ts'
import { listenAt, openStartingPort, type StartingPort } from './starting-port.ts'

let work = 'opening the database'

const open = (port = 0, corsOrigins: readonly string[] = ['*']) =>
  openStartingPort({
    host: '127.0.0.1',
    port,
    environment: 'test',
    version: '1.2.3',
    trading: 'coming_soon',
    corsOrigins,
    awaiting: () => work,
  })

describe('a starting port', () => {
  let port: StartingPort
  before(async () => {
    port = await open()
  })
  after(() => port.close())

  test('a starting port is alive: /health is 200, and reports that dependencies were not checked yet', async () => {
    const answer = await fetch(`${port.url}/health`)
    assert.equal(answer.status, 200)
    const body = await answer.json()
    assert.ok(Value.Check(Health, body), JSON.stringify(body))
    assert.equal(body.degraded, true)
    const { environment, version, trading } = body
    assert.deepEqual([environment, version, trading], ['test', '1.2.3', 'coming_soon'])
  })

  test('a starting port is not ready: /ready is 503 and names the current step of the start', async () => {
    for (work of ['opening the database', 'making the past, 2 of 4 hours']) {
      const answer = await fetch(`${port.url}/ready?probe=1`)
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('retry-after'), '1')
      const body = await answer.json()
      assert.ok(Value.Check(Readiness, body), JSON.stringify(body))
      assert.deepEqual([body.status, body.awaiting], ['not_ready', work])
    }
  })

  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/markets'],
    ['POST', '/register'],
    ['DELETE', '/health'],
    ['GET', '/socket.io/?EIO=4&transport=polling'],
    ['OPTIONS', '/markets'],
  ] as const)
    test(`a starting port refuses ${method} ${path} with a code, the current step, and the time to retry`, async () => {
      const init = method === 'POST' ? { method, body: 'x'.repeat(100_000) } : { method }
      const answer = await fetch(`${port.url}${path}`, {
        ...init,
        headers: { 'x-request-id': 'mine' },
      })
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.equal(answer.headers.get('x-request-id'), 'mine')
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      const body = await answer.json()
      assert.ok(Value.Check(Problem, body), JSON.stringify(body))
      assert.equal(body.error, 'STARTING')
      assert.ok(body.message.includes(work), body.message)
    })

  test('a starting port shows only browsers a page that reloads itself', async () => {
    work = 'making the past <of> 4 hours'
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const answer = await fetch(port.url, { headers })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const page = await answer.text()
    assert.match(page, /<meta http-equiv="refresh" content="1">/)
    assert.match(page, /making the past &#60;of&#62; 4 hours/)
    assert.doesNotMatch(page, /<script|<style/)
    const other = await fetch(`${port.url}/markets`, { headers })
    assert.equal(((await other.json()) as { error: string }).error, 'STARTING')
  })

  test('a starting port refuses a WebSocket with 503', async () => {
    const socket = new WebSocket(`${port.url.replace('http', 'ws')}/ws`)
    const [, response] = await once(socket, 'unexpected-response')
    assert.equal(response.statusCode, 503)
    assert.equal(response.headers['retry-after'], '1')
    response.destroy()
    socket.on('error', () => {})
    socket.terminate()
  })

  test('a starting port lets pages of other origins read it only where any may', async () => {
    const closed = await open(0, ['https://example.com'])
    const answer = await fetch(`${closed.url}/markets`)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    await closed.close()
  })

  test('a starting port is refused when the port is in use', async () => {
    await assert.rejects(open(Number(new URL(port.url).port)), { code: 'EADDRINUSE' })
  })
})

describe('handing the port over', () => {
  test('no client meets an unanswered port during the handover', async () => {
    const port = await open()
    const { host } = await scenarioNode([])
    const statuses = new Set<number>()
    const state = { isDone: false }
    const knocking = (async () => {
      // Each on its own connection: a kept one belongs to the host after the first request.
      while (!state.isDone || !statuses.has(200)) {
        const answer = await fetch(`${port.url}/version`, { headers: { connection: 'close' } })
        await answer.text()
        statuses.add(answer.status)
      }
    })()
    while (statuses.size === 0) await setImmediate()
    assert.equal(await listenAt(host, { host: '127.0.0.1', port: 0, startingPort: port }), port.url)
    state.isDone = true
    await knocking
    assert.deepEqual([...statuses], [503, 200])
    await port.close()
    assert.equal((await fetch(`${port.url}/version`)).status, 200)
    await host.close()
    await assert.rejects(fetch(`${port.url}/version`))
  })

  test('a request from before the handover is answered, and one that never ends goes with the host', async () => {
    const port = await open()
    const { host } = await scenarioNode([])
    const place = { port: Number(new URL(port.url).port), host: '127.0.0.1' }
    const [slow, silent] = [connect(place), connect(place)]
    await Promise.all([once(slow, 'connect'), once(silent, 'connect')])
    slow.write('GET /markets HTTP/1.1\r\nhost: a\r\n')
    silent.write('GET /markets HTTP/1.1\r\n')
    // Both are connections of the old server once it has answered a third.
    await fetch(`${port.url}/health`)
    await port.handOver(host)
    slow.write('\r\n')
    const [answer] = await once(slow, 'data')
    assert.match(String(answer), /^HTTP\/1.1 503 /)
    const gone = once(silent, 'close')
    silent.on('error', () => {})
    await host.close()
    await gone
  })
})

/** More than node's default queue of 511, and few enough for the open files of a process. */
const STORM = 700

for (const holder of ['starting port', 'host'])
  test(`a ${holder} that is too busy to accept has all of ${STORM} new connections wait`, async () => {
    const program = fileURLToPath(new URL('../../test/frozen-port.ts', import.meta.url))
    const child = spawn(process.execPath, [program, holder])
    const ended = once(child, 'exit')
    const [text] = await once(child.stdout.setEncoding('utf8'), 'data')
    const sockets = Array.from({ length: STORM }, () => connect(Number(text), '127.0.0.1'))
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    } finally {
      for (const socket of sockets) socket.on('error', () => {}).destroy()
      child.kill('SIGKILL')
      await ended
    }
  })
