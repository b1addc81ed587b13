// No secret is ever logged, at any log level.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { ROLES } from '@openvenue/devnet/roles'
import { openAccount } from './account-client.ts'
import { request } from './probe.ts'
import { copyDeployed, newDataDir } from './venue.ts'
import { isAlive, startProcess, type VenueProcess } from './venue-process.ts'

const ANSWERED_WITHIN_MS = 10_000

const dataDir = newDataDir()
let venue: VenueProcess | undefined
after(() => {
  venue?.process.kill('SIGKILL')
  if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('issued, used, misused and revoked keys leave no secret in the logs of a run', async () => {
  const logs: string[] = []
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, {
    env: { LOG_LEVEL: 'trace' },
    hear: (text) => logs.push(text),
  })
  const { apiUrl } = venue
  const client = await openAccount(venue, ROLES.visitors[0])
  const { key: apiKey, secret: apiSecret } = client.registered.apiKey
  await client.ask('/account')
  const wrong = { ...client.headers, 'api-secret': `${apiSecret}0` }
  assert.equal((await request(apiUrl, '/account', { headers: wrong })).status, 401)
  const elsewhere = await request(apiUrl, `/nowhere?secret=${apiKey}`, { headers: wrong })
  assert.equal(elsewhere.status, 404)
  const auth = { op: 'auth', data: client.registered.apiKey }
  assert.match(await answerTo(apiUrl, JSON.stringify(auth)), /"success":true/)
  assert.match(await answerTo(apiUrl, `${JSON.stringify(auth)}}`), /INVALID_MESSAGE/)
  const { headers } = client
  const revoked = await request(apiUrl, '/api-key', { method: 'DELETE', headers })
  assert.deepEqual(revoked.body, { success: true })
  venue.process.kill('SIGTERM')
  await venue.ended
  const text = logs.join('')
  const hash = createHash('sha256').update(apiSecret).digest('hex')
  assert.ok(text.includes('model loaded'), 'the run was logged')
  assert.equal(text.includes(apiSecret), false, 'the secret')
  assert.equal(text.includes(hash), false, 'its hash')
})

/** Sends one message over a plain WebSocket and returns the answer. */
function answerTo(apiUrl: string, text: string): Promise<string> {
  const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
  const answer = new Promise<string>((resolve, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), ANSWERED_WITHIN_MS).unref()
    socket.onerror = () => reject(new Error('the socket does not open'))
    socket.onopen = () => socket.send(text)
    socket.onmessage = ({ data }) => resolve(String(data))
  })
  return answer.finally(() => socket.close())
}
