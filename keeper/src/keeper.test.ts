// Tests the start of a keeper when the node, the database or the configuration is wrong.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { pino } from 'pino'
import { wallClock } from '../test/clock.ts'
import { ENGINE } from '../test/fake-state.ts'
import { KeeperProcess } from '../test/keeper-process.ts'
import { CHAIN_ID, derivePrivateKey } from '../test/live-sender.ts'
import { only } from '../test/live-venue.ts'
import { createKeeper } from './keeper.ts'

const DEPLOYMENT = { accounts: ENGINE, spot: ENGINE, perps: ENGINE, oracles: [ENGINE] }

test('a keeper waits while its node answers with HTML, and ends if the chain is another', async (t) => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    const isUp = requests > 2
    response.writeHead(200).end(isUp ? '[{"id":0,"result":"0x7"}]' : '<html>Bad gateway</html>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = await openMemoryStore()
  t.after(async () => {
    server.close()
    await store.close()
  })
  const keeper = createKeeper({
    store,
    deployment: DEPLOYMENT,
    chainId: CHAIN_ID,
    rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    key: derivePrivateKey(0),
    settings: only(),
    clock: { ...wallClock, delay: (_, signal) => wallClock.delay(1, signal) },
    log: pino({ level: 'silent' }),
  })
  keeper.start()
  await assert.rejects(keeper.ended, {
    name: 'WrongChain',
    message: `CHAIN_ID is wrong: got ${CHAIN_ID}, expected 7 of the node`,
  })
  assert.equal(requests, 3)
  await keeper.stop()
})

test('a leading keeper is not ready on an empty database, however long the indexer takes', async (t) => {
  const chainId = `0x${CHAIN_ID.toString(16)}`
  const server = createServer((_, response) => response.end(`[{"id":0,"result":"${chainId}"}]`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store = await openMemoryStore()
  const keeper = createKeeper({
    store,
    deployment: DEPLOYMENT,
    chainId: CHAIN_ID,
    rpcUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    key: derivePrivateKey(0),
    settings: only(),
    clock: wallClock,
    log: pino({ level: 'silent' }),
  })
  t.after(async () => {
    await keeper.stop()
    server.close()
    server.closeAllConnections()
    await store.close()
  })
  keeper.start()
  await until('it leads', async () =>
    /^openvenue_keeper_is_leader 1$/m.test((await keeper.host.inject('/metrics')).body),
  )
  const answer = await keeper.host.inject('/ready')
  assert.deepEqual([answer.statusCode, answer.json().status], [503, 'starting'])
})

test('a keeper without a database ends with a message that names DATABASE_URL', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-keeper-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'deployment.json')
  writeFileSync(file, JSON.stringify(DEPLOYMENT))
  const keeper = new KeeperProcess({
    DATABASE_URL: 'postgres://somebody:password@127.0.0.1:1/venue',
    KEEPER_KEY: derivePrivateKey(0),
    KEEPER_PRICES: 'off',
    DEPLOYMENT_FILE: file,
  })
  await until('it has ended', () => keeper.hasEnded)
  assert.equal(await keeper.end(), 1)
  assert.deepEqual(keeper.lines, [
    'DATABASE_URL cannot be opened: connect ECONNREFUSED 127.0.0.1:1',
  ])
})
