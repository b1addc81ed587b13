// No secret is ever in a log, however much is logged.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { after, test } from 'node:test'
import { ROLES } from '@openvenue/devnet/roles'
import { openAccount } from './account-client.ts'
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

test('keys that are issued, used, misused and revoked leave no secret in the logs of a run', async () => {
  const logs: string[] = []
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, {
    env: { LOG_LEVEL: 'trace' },
    hear: (text) => logs.push(text),
  })
  const { apiUrl } = venue
  const client = await openAccount(venue, ROLES.visitors[0])
  const { apiKey, apiSecret } = client.registered
  await client.ask('/account')
  const wrong = { ...client.headers, 'api-secret': `${apiSecret}0` }
  assert.equal((await fetch(`${apiUrl}/account`, { headers: wrong })).status, 401)
  assert.equal((await fetch(`${apiUrl}/nowhere?secret=${apiKey}`, { headers: wrong })).status, 404)
  const auth = { op: 'auth', data: { key: apiKey, secret: apiSecret } }
  assert.match(await answerTo(apiUrl, JSON.stringify(auth)), /"success":true/)
  assert.match(await answerTo(apiUrl, `${JSON.stringify(auth)}}`), /INVALID_MESSAGE/)
  const revoked = await fetch(`${apiUrl}/api-key`, { method: 'DELETE', headers: client.headers })
  assert.deepEqual(await revoked.json(), { success: true })
  venue.process.kill('SIGTERM')
  await venue.ended
  const text = logs.join('')
  const hash = createHash('sha256').update(apiSecret).digest('hex')
  assert.ok(text.includes('model loaded'), 'the run was logged')
  assert.equal(text.includes(apiSecret), false, 'the secret')
  assert.equal(text.includes(hash), false, 'its hash')
})

/** Says one thing over a plain WebSocket and returns what comes back. */
function answerTo(apiUrl: string, text: string): Promise<string> {
  const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
  const answer = new Promise<string>((resolve, reject) => {
    setTimeout(() => reject(new Error('an answer comes in time')), ANSWERED_WITHIN_MS).unref()
    socket.onerror = () => reject(new Error('the socket opens'))
    socket.onopen = () => socket.send(text)
    socket.onmessage = ({ data }) => resolve(String(data))
  })
  return answer.finally(() => socket.close())
}
