// The venue's actions for a silent account, on a chain: a pre-signed cancel-after, and the end of
// connections with the process that held them.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { approve, deposit, mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { parseUnits } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { type AccountClient, openAccount } from './account-client.ts'
import { createChainClient } from './chain-client.ts'
import { type Messages, type RestReply, readInfo, request, SocketProbe } from './probe.ts'
import { bidBody } from './signed-orders.ts'
import { copyDeployed, newDataDir } from './venue.ts'
import { isAlive, startProcess, type VenueProcess } from './venue-process.ts'

const WITHIN_MS = 60_000
const TIMEOUT_MS = 5_000
const DAY_SECONDS = 86_400
const MONEY = 10_000n * 10n ** 6n
const ENV = {
  TRADERS: 'off',
  RATE_LIMIT_PRIVATE: 'off',
  RATE_LIMIT_REGISTER: 'off',
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at what comes
type ProbeAnswer = Pick<RestReply<any>, 'status' | 'body'>
type Detail = Readonly<{ field: string; value?: string; typed_data: object }>

const dataDir = newDataDir()
let venue: VenueProcess
let client: AccountClient
let messages: Messages
let salt = 0n
before(async () => {
  await copyDeployed(dataDir)
  venue = await startProcess(dataDir, { env: ENV })
  const { spot, tokens } = venue.deployment
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] }).address
  await createChainClient(rpcAt(venue.rpcUrl)).send([
    mint(wallet, tokens.USDC, wallet, MONEY),
    approve(wallet, tokens.USDC, spot),
    deposit(wallet, spot, tokens.USDC, MONEY),
  ])
  messages = (await readInfo(venue.apiUrl)).typed_data.spot
  client = await openAccount(venue, ROLES.visitors[0], { isOnChain: true })
})
after(() => {
  venue?.process.kill('SIGKILL')
  if (venue !== undefined && isAlive(venue.anvilPid)) process.kill(venue.anvilPid, 'SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: unknown): Promise<ProbeAnswer> {
  return request(venue.apiUrl, path, { method, headers: client.headers, body })
}

/** Repeats a request until the answer satisfies `is`. */
async function answered(
  act: () => Promise<ProbeAnswer>,
  is: (reply: ProbeAnswer) => boolean,
): Promise<ProbeAnswer> {
  let reply: ProbeAnswer | undefined
  const look = async () => {
    reply = await act()
    return is(reply) && reply
  }
  return until(() => `the answer is the expected one: ${JSON.stringify(reply)}`, look, WITHIN_MS)
}

const key = () => privateKeyToAccount(client.registered.signingPrivateKey)

/** Signs a resting bid. */
const signedBody = () =>
  bidBody({ messages, key: client.registered.signingPrivateKey }, 'ETH-USDC', {
    account: client.registered.account,
    market: 1,
    limitPrice: parseUnits('2000', 6),
    amount: parseUnits('0.01', 18),
    salt: ++salt,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 60),
  })

const reaches = (id: string, status: string) =>
  answered(
    () => ask('GET', `/orders/${id}?include=closed`),
    ({ body }) => body.order_status === status,
  )

test('an expired timer uses its pre-signed cancels: the chain has the orders cancelled', async () => {
  // Until the registered key is on the chain.
  const placed = await answered(
    async () => ask('POST', '/orders', await signedBody()),
    ({ status }) => status === 200,
  )
  const id = String(placed.body.order_id)
  await reaches(id, 'opened')
  const refused = await ask('POST', '/account/cancel-after', { timeout_ms: TIMEOUT_MS })
  assert.deepEqual([refused.status, refused.body.error], [400, 'CANCEL_SIGNATURE_REQUIRED'])
  const detail = (refused.body.details as Detail[]).find(({ field }) => field === 'cancel_alls')
  assert.ok(detail !== undefined)
  const signature = await key().signTypedData(detail.typed_data as never)
  const { salt: unspent, deadline } = Object(detail.typed_data).message
  const cancel_alls = [{ instrument: detail.value, salt: unspent, deadline, signature }]
  const armed = await ask('POST', '/account/cancel-after', { timeout_ms: TIMEOUT_MS, cancel_alls })
  assert.equal(armed.status, 200, JSON.stringify(armed.body))
  const { body } = await reaches(id, 'cancelled')
  assert.equal(body.cancel_reason, 'USER')
  const again = await signedBody()
  const next = String((await ask('POST', '/orders', again)).body.order_id)
  await reaches(next, 'opened')
  const spent = await ask('POST', '/account/cancel-after', { timeout_ms: TIMEOUT_MS, cancel_alls })
  assert.equal(spent.body.error, 'ORDER_INVALID_SALT', 'it is used once')
})

test('a killed process ends the orders of its connections, and no others', async () => {
  const expiry = Math.floor(Date.now() / 1000) + DAY_SECONDS
  const { body: cancellers } = await ask('GET', `/account/cancellers?expiry=${expiry}`)
  const signature = await key().signTypedData(cancellers.allow.typed_data)
  await ask('POST', '/account/cancellers', { expiry: String(expiry), signature })
  const enable = () => ask('POST', '/account/cancel-on-disconnect', { enabled: true })
  await answered(enable, ({ status }) => status === 200)
  const socket = await SocketProbe.open(venue.apiUrl)
  await socket.ask('auth', client.registered.apiKey)
  const bound = Object(await socket.ask('create_order', await signedBody())).order_id
  const free = String((await ask('POST', '/orders', await signedBody())).body.order_id)
  for (const id of [bound, free]) await reaches(id, 'opened')
  venue.process.kill('SIGKILL')
  assert.equal(await venue.ended, 'SIGKILL')
  venue = await startProcess(dataDir, { env: ENV })
  await reaches(bound, 'cancelled')
  assert.equal((await ask('GET', `/orders/${free}`)).body.order_status, 'opened')
})
