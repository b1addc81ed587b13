// Notifications of a service by systemd's own systemd-notify, received by a program in systemd's
// place.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { watchService } from './watchdog.ts'

/** Prints each datagram as a line. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(s.recv(4096).decode().replace("\\n", " "), flush=True)
`
/** Systemd's limit for the next sign of life, here 0.4 s: one goes out every 0.1 s. */
const WATCHDOG_USEC = '400000'
/** Time that a hanging service has for its answer. */
const ANSWER_MS_MAX = 200
const isThere = spawnSync('systemd-notify', ['--version']).status === 0

if (isThere)
  describe('a service under systemd', () => {
    const folder = mkdtempSync(join(tmpdir(), 'notify-'))
    const path = join(folder, 'socket')
    const lines: string[] = []
    let listener: ChildProcess
    let answer = { status: 503, block: null as number | null }
    let isAway = true
    let isHanging = false
    let isClimbing = false
    const server = createServer((_, response) => {
      if (isAway) return void response.destroy()
      if (isHanging) return
      if (isClimbing) answer = { status: 503, block: (answer.block ?? 0) + 1 }
      response.writeHead(answer.status).end(JSON.stringify({ block: answer.block }))
    })
    before(async () => {
      listener = spawn('python3', ['-c', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
      listener.stdout?.on('data', (text) => lines.push(...String(text).trim().split('\n')))
      server.listen(0, '127.0.0.1')
      await untilHeard('the socket is there', () => lines.includes('bound'))
    })
    after(() => {
      listener.kill('SIGKILL')
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    })

    const untilHeard = (claim: string, isSo: () => boolean) =>
      until(() => `${claim}; systemd heard ${lines.join(', ')}`, isSo)
    const signs = () => lines.filter((line) => line === 'WATCHDOG=1').length
    const service = () => {
      const { port } = server.address() as AddressInfo
      return { host: '127.0.0.1', port, path: '/ready', progress: 'block' }
    }
    /** How often it asked, counted by the service. */
    let requests = 0
    server.on('request', () => {
      requests += 1
    })
    /** Waits for as many further probes, after which there was no notification. */
    async function silentFor(questions: number): Promise<void> {
      const end = requests + questions
      await untilHeard('it is asked', () => requests >= end)
    }

    test('systemd is notified once a service answers and while it makes progress, not if it hangs', async (t) => {
      const { timeout } = AbortSignal
      t.mock.method(AbortSignal, 'timeout', () => timeout.call(AbortSignal, ANSWER_MS_MAX))
      const stop = new AbortController()
      const watching = watchService(
        { ...process.env, NOTIFY_SOCKET: path, WATCHDOG_USEC },
        service(),
        stop.signal,
      )
      await silentFor(3)
      assert.ok(!lines.includes('READY=1'), 'nothing answers')
      isAway = false
      await untilHeard('it is there', () => lines.includes('READY=1'))
      // It answers, but neither is ready nor has a block.
      await silentFor(3)
      assert.equal(signs(), 0)
      answer = { status: 200, block: 7 }
      await untilHeard('it is alive', () => signs() >= 2)
      // Not ready, as after a start far behind, but each answer is of a later block.
      isClimbing = true
      const before = signs()
      await untilHeard('it catches up', () => signs() >= before + 2)
      isClimbing = false
      // Not ready, and nothing moves: what is asked first may still see the last step.
      await silentFor(2)
      const stuck = signs()
      await silentFor(3)
      assert.equal(signs(), stuck)
      answer = { status: 200, block: 8 }
      await untilHeard('it goes on', () => signs() > stuck)
      isHanging = true
      await silentFor(1)
      const hanging = signs()
      await silentFor(1)
      assert.equal(signs(), hanging)
      server.closeAllConnections()
      stop.abort()
      await watching
    })

    test('the watchdog does not ask the service without systemd', async () => {
      const questions = requests
      await watchService({ ...process.env, NOTIFY_SOCKET: '' }, service())
      assert.equal(requests, questions)
    })
  })
