// A deployed venue: verify names every change outside of proposals, and timelock changes are
// proposed by name and executed after their delay.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { derivePrivateKey } from '@openvenue/devnet/wallet-keys'
import { type Hex, keccak256, toHex } from 'viem'
import { type ArcChain, createToken, startArcChain } from '../test/arc-chain.ts'
import { type DeploymentPaths, readRecord, run } from '../test/deploying.ts'
import { smallVenue, writeVenue } from '../test/venue.ts'
import { limitsSlot } from './plan/perp-limits.ts'
import { publishSources } from './verify/publish.ts'

/** Indexes of the mnemonic: see `smallVenue`. */
const [GUARDIAN, PROPOSER, CANCELLER, ANYBODY] = [1, 2, 4, 7]
const DAY_SECONDS = 86_400
const DELAY_SECONDS = DAY_SECONDS

let chain: ArcChain
let paths: DeploymentPaths
before(async () => {
  chain = await startArcChain()
  const eth = await createToken(chain.rpc, chain.wallets[0] as Hex, ['Ether', 'ETH', 18])
  const { folder, path } = writeVenue(smallVenue({ wallets: chain.wallets, eth }))
  paths = { chain, folder, config: path, key: derivePrivateKey(9) }
  const { code, out, err } = await run(paths, 'deploy', ['--yes'])
  assert.equal(code, 0, `${out}${err}`)
})
after(async () => {
  await chain?.stop()
  if (paths !== undefined) rmSync(paths.folder, { recursive: true, force: true })
})

const verify = () => run(paths, 'verify', ['--no-rebuild'])

test('a newly deployed venue has no differences', async () => {
  const { code, out, err } = await verify()
  assert.equal(code, 0, `${out}${err}`)
  assert.match(out, /^no differences$/m)
})

/** Changes the value of a slot, and returns the function that restores it. */
async function withSlot(address: Hex, slot: Hex, word: Hex): Promise<() => Promise<unknown>> {
  const before = await chain.rpc.call('eth_getStorageAt', address, slot, 'latest')
  await chain.rpc.call('anvil_setStorageAt', address, slot, word)
  return () => chain.rpc.call('anvil_setStorageAt', address, slot, before)
}

const slot = (number: number) => toHex(number, { size: 32 })
const STRANGER = `0x${'00'.repeat(12)}${'5e'.repeat(20)}` as const

test('verify names a wrong byte, a wrong owner and a wrong parameter', async () => {
  const { lens, spot, perps, oracles } = readRecord(paths.folder)
  const code = (await chain.rpc.call('eth_getCode', lens, 'latest')) as string
  const changed =
    code.slice(0, 202) + (code.slice(202, 204) === 'ff' ? '00' : 'ff') + code.slice(204)
  await chain.rpc.call('anvil_setCode', lens, changed)
  const undo = [
    () => chain.rpc.call('anvil_setCode', lens, code),
    await withSlot(spot, slot(0), STRANGER),
    await withSlot(oracles[0] as Hex, slot(1), STRANGER),
    await withSlot(perps, limitsSlot(1), slot(7)),
  ]
  const { code: status, out } = await verify()
  assert.equal(status, 1)
  assert.match(out, /^code of lens: got 0x.. instead of 0x.. at byte 100, /m)
  assert.match(out, /^owner of spot: got 0x5e5e/m)
  assert.match(out, /^pending owner of oracle: got 0x5e5e/m)
  assert.match(out, /^parameters of ETH-PERP: .*maxnotionalvalue 7, .*expected/m)
  assert.match(out, /^runtime code hash of lens: got 0x[0-9a-f]{64}, expected 0x/m)
  assert.match(out, /^5 differences$/m)
  for (const back of undo) await back()
})

test('verify detects a changed domain in the code by its separator', async () => {
  const { spot } = readRecord(paths.folder)
  const code = (await chain.rpc.call('eth_getCode', spot, 'latest')) as string
  const inside = keccak256(toHex('openvenue-testnet')).slice(2)
  const other = keccak256(toHex('openvenue')).slice(2)
  assert.ok(code.includes(inside))
  await chain.rpc.call('anvil_setCode', spot, code.replaceAll(inside, other))
  const { code: status, out } = await verify()
  await chain.rpc.call('anvil_setCode', spot, code)
  assert.equal(status, 1)
  assert.match(out, /^domain separator of spot: got 0x[0-9a-f]{64}, expected 0x[0-9a-f]{64}$/m)
  assert.match(out, /^immutable of spot: /m)
})

test('verify detects a changed immutable in the code', async () => {
  const { perps, accounts } = readRecord(paths.folder)
  const code = (await chain.rpc.call('eth_getCode', perps, 'latest')) as string
  const inside = accounts.slice(2)
  assert.ok(code.includes(inside))
  await chain.rpc.call('anvil_setCode', perps, code.replace(inside, '5e'.repeat(20)))
  const { code: status, out } = await verify()
  await chain.rpc.call('anvil_setCode', perps, code)
  assert.equal(status, 1)
  assert.match(out, /^immutable of perps: got 0x0{24}(5e){20}, expected one of/m)
})

test('verify names every contract whose domain differs from that of clients', async () => {
  const { accounts } = readRecord(paths.folder)
  const [ours, other] = ['openvenue-testnet', 'openvenue-Testnet']
  const { at, word } = await findText(accounts, ours)
  const back = await withSlot(accounts, at, word.replace(toHex(ours), toHex(other)) as Hex)
  const { code, out } = await verify()
  await back()
  assert.equal(code, 1)
  for (const name of ['accounts', 'spot', 'perps'])
    assert.match(
      out,
      new RegExp(
        `^domain of ${name}: got "openvenue-Testnet" version 1 of chain 5042002 at 0x`,
        'm',
      ),
    )
  // The domain separators are in the code, and unchanged.
  assert.doesNotMatch(out, /domain separator/)
})

test('verify reports another domain in deployment.json or in the environment', async () => {
  const path = join(paths.folder, 'deployment.json')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('"openvenue-testnet"', '"openvenue"'))
  const also = { TYPED_DATA_DOMAIN: 'openvenue-mainnet' }
  const { code, out } = await run(paths, 'verify', ['--no-rebuild'], also)
  writeFileSync(path, text)
  assert.equal(code, 1)
  assert.match(out, /^domainName of deployment.json: got openvenue, expected openvenue-testnet$/m)
  assert.match(
    out,
    /^TYPED_DATA_DOMAIN of this environment: got openvenue-mainnet, expected openvenue-testnet$/m,
  )
  assert.match(out, /^2 differences$/m)
})

const NAME_SLOTS = 16

/** Returns the slot that holds a short text, and its word. */
async function findText(address: Hex, text: string) {
  for (let number = 0; number < NAME_SLOTS; number++) {
    const word = (await chain.rpc.call('eth_getStorageAt', address, slot(number), 'latest')) as Hex
    if (word.startsWith(toHex(text))) return { at: slot(number), word }
  }
  throw new Error(`${address} does not hold ${text}`)
}

test('verify names each member that differs from venue.json', async () => {
  const { code, out } = await run({ ...paths, config: await otherConfig() }, 'verify', [
    '--no-rebuild',
  ])
  assert.equal(code, 1)
  assert.match(out, /^delay of governance, seconds: got 86400, expected 172800$/m)
  assert.match(out, /^index age of ETH-PERP: got 90, expected 60$/m)
  assert.match(out, /^outflow of USDC at spot: got share 2500, .*expected share 5000, /m)
  assert.match(
    out,
    /^deposit cap of USDC at perps: got total 1\d+, .*expected total 7, per account 1$/m,
  )
  assert.match(out, /^4 differences$/m)
})

async function otherConfig(): Promise<string> {
  const { tokens } = readRecord(paths.folder)
  const venue = smallVenue({ wallets: chain.wallets, eth: tokens.ETH as Hex })
  const [perp] = venue.perpetuals
  assert.ok(perp)
  return writeVenue({
    ...venue,
    governance: { ...venue.governance, delaySeconds: 172_800 },
    perpetuals: [{ ...perp, indexAgeMaxSeconds: 60 }],
    outflow: { ...venue.outflow, spot: { USDC: { share: '0.5', small: '10000' } } },
    depositCap: { spot: {}, perpetuals: { total: '0.000007', perAccount: '0.000001' } },
  }).path
}

type Upload = Readonly<{ url: string; type: string; body: string }>

test('sources are uploaded to both explorers, and a refusal is reported', async () => {
  const uploads: Upload[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += String(chunk)
    })
    request.on('end', () => {
      const { url = '', headers } = request
      uploads.push({ url, type: headers['content-type'] ?? '', body })
      const answer = url.startsWith('/v2/verify/5042002/')
        ? { verificationId: 'job-1' }
        : { isJobCompleted: true, contract: { match: 'exact_match' } }
      response.statusCode = url.startsWith('/api/') ? 422 : 200
      response.end(JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lines: string[] = []
  const contract = {
    name: 'lens',
    address: `0x${'1'.repeat(40)}` as Hex,
    contractIdentifier: 'src/Lens.sol:Lens',
    compilerVersion: '0.8.37+commit.f401782d',
    constructorArguments: '',
    creationTransactionHash: `0x${'2'.repeat(64)}` as Hex,
  }
  const sources = { 'src/Lens.sol': { content: 'contract Lens {}' } }
  const input = { language: 'Solidity', sources, settings: {} } as const
  const isDone = await publishSources(
    { input, contracts: [contract] },
    { chainId: 5042002, sourcifyUrl: url, blockscoutUrl: url, print: (text) => lines.push(text) },
  )
  server.close()
  server.closeAllConnections()
  assert.equal(isDone, false)
  assert.deepEqual(lines[0], 'lens: Sourcify: exact_match')
  assert.match(lines[1] ?? '', /^lens: Blockscout responded with 422: /)
  const [toSourcify, , toBlockscout] = uploads
  const sent = JSON.parse(toSourcify?.body ?? '{}') as Record<string, unknown>
  assert.deepEqual(sent.stdJsonInput, input)
  assert.equal(sent.contractIdentifier, 'src/Lens.sol:Lens')
  assert.equal(sent.creationTransactionHash, contract.creationTransactionHash)
  assert.match(toBlockscout?.type ?? '', /^multipart\/form-data/)
  assert.match(toBlockscout?.body ?? '', /v0\.8\.37\+commit\.f401782d/)
})

const as = (index: number): DeploymentPaths => ({ ...paths, key: derivePrivateKey(index) })
const idIn = (out: string): string => /proposal (0x[0-9a-f]{64})/.exec(out)?.[1] ?? ''

test('admin refuses an unknown market and suggests the nearest one', async () => {
  const { code, err } = await run(as(PROPOSER), 'admin', ['propose', 'halt', 'ETH-PREP', '--yes'])
  assert.equal(code, 1)
  assert.match(
    err,
    /^market is unknown: got "ETH-PREP", expected one of .*; the nearest is ETH-PERP$/m,
  )
})

test('an account that is not a proposer is refused before anything is sent', async () => {
  const { code, err } = await run(as(ANYBODY), 'admin', ['propose', 'halt', 'ETH-PERP', '--yes'])
  assert.equal(code, 1)
  assert.match(err, /would revert: EnumerableRolesUnauthorized/)
})

test('call data for a multisig equals the sent proposal', async () => {
  const { key, ...keyless } = paths
  const args = ['propose', 'halt', 'ETH-PERP', '--calldata']
  const { code, out } = await run(keyless, 'admin', args)
  assert.equal(code, 0)
  assert.match(out, /halt of ETH-PERP: false -> true/)
  const { governance } = readRecord(paths.folder)
  const [, to, data] = /to {3}(0x\w+)\ndata (0x\w+)/.exec(out) ?? []
  assert.equal(to, governance)
  await chain.rpc.call('eth_call', { from: chain.wallets[PROPOSER], to, data }, 'latest')
  assert.ok(key)
})

test('a cancelled proposal is not executed', async () => {
  const proposed = await run(as(PROPOSER), 'admin', ['propose', 'set-delay', '172800', '--yes'])
  assert.match(proposed.out, /delay of governance: 86400 -> 172800/)
  const id = idIn(proposed.out)
  const cancelled = await run(as(CANCELLER), 'admin', ['cancel', id, '--yes'])
  assert.equal(cancelled.code, 0, cancelled.err)
  const { code, err } = await run(as(ANYBODY), 'admin', ['execute', id, '--yes'])
  assert.equal(code, 1)
  assert.match(err, /is unknown/)
})

test('a changed venue.json is one proposal, waits for its delay, and then takes effect', async () => {
  const { tokens } = readRecord(paths.folder)
  const venue = smallVenue({ wallets: chain.wallets, eth: tokens.ETH as Hex })
  const [perp] = venue.perpetuals
  assert.ok(perp)
  const sol = { ...perp, name: 'SOL-PERP', asset: 'SOL', amountStep: '0.01', maxLeverage: 10 }
  const changed = { ...perp, takerFee: '0.0005', indexAgeMaxSeconds: 100 }
  const { path: config } = writeVenue({ ...venue, perpetuals: [changed, sol] })
  const proposed = await run({ ...as(PROPOSER), config }, 'admin', ['propose', '--yes'])
  assert.equal(proposed.code, 0, proposed.err)
  assert.match(proposed.out, /list SOL-PERP: not listed -> market 2 of perps/)
  assert.match(proposed.out, /parameters of ETH-PERP: .*takerFee 350 -> .*takerFee 500/)
  const id = idIn(proposed.out)
  const early = await run({ ...as(ANYBODY), config }, 'admin', ['execute', id, '--yes'])
  assert.match(early.err, /is waiting until \d{4}-/)
  await chain.skip(DELAY_SECONDS)
  const executed = await run({ ...as(ANYBODY), config }, 'admin', ['execute', id, '--yes'])
  assert.equal(executed.code, 0, `${executed.out}${executed.err}`)
  assert.match(executed.out, /^list SOL-PERP: market 2 of perps$/m)
  const listed = await run({ ...paths, config }, 'admin', ['list'])
  assert.match(listed.out, new RegExp(`${id} {2}done`))
  const verified = await run({ ...paths, config }, 'verify', ['--no-rebuild'])
  assert.equal(verified.code, 0, verified.out)
})

const guard = (index: number, ...words: readonly string[]) =>
  run(as(index), 'admin', [...words, '--yes'])

test('the guardian halts every market at once, including those missing in venue.json', async () => {
  const stranger = await guard(ANYBODY, 'halt', 'ETH-PERP')
  assert.equal(stranger.code, 1)
  assert.match(stranger.out, /^halt of ETH-PERP: would revert: NotOwner\(0x/m)
  const { code, out, err } = await guard(GUARDIAN, 'halt', 'all')
  assert.equal(code, 0, err)
  for (const market of ['ETH-USDC', 'ETH-PERP', 'market 2 of perps']) {
    assert.match(out, new RegExp(`^halt of ${market}: false -> true$`, 'm'))
    assert.match(out, new RegExp(`^halt of ${market}: done in block \\d+$`, 'm'))
  }
  const sent = chain.sent()
  const again = await guard(GUARDIAN, 'halt', 'all')
  assert.equal(again.code, 0)
  assert.match(again.out, /^halt of ETH-PERP: already true$/m)
  assert.equal(chain.sent(), sent, 'nothing is sent twice')
})

test("a guardian's halt lasts three days, and cannot be repeated within six", async () => {
  const early = await guard(ANYBODY, 'resume', 'ETH-PERP')
  assert.equal(early.code, 1)
  assert.match(early.out, /^halt of ETH-PERP: would revert: not before \d{4}-\d\d-\d\dT/m)
  await chain.skip(3 * DAY_SECONDS)
  const { code, out } = await guard(ANYBODY, 'resume', 'ETH-PERP', 'ETH-USDC')
  assert.equal(code, 0, out)
  const soon = await guard(GUARDIAN, 'halt', 'all')
  assert.equal(soon.code, 1)
  assert.match(soon.out, /^halt of market 2 of perps: already true$/m)
  assert.match(soon.out, /^halt of ETH-PERP: would revert: not before /m)
})

test('a stop that the node refuses does not block the others', async () => {
  let refused = 0
  chain.intercept(async (_raw, forward) => {
    if (refused++ === 0) throw new Error('txpool is full')
    return forward()
  })
  const { code, out } = await guard(GUARDIAN, 'pause', 'all')
  chain.intercept(undefined)
  assert.equal(code, 1)
  assert.match(out, /^pause of ETH: the node rejected it: .*txpool is full/m)
  for (const asset of ['BTC', 'SOL'])
    assert.match(out, new RegExp(`^pause of ${asset}: done in block \\d+$`, 'm'))
  const again = await guard(GUARDIAN, 'pause', 'ETH')
  assert.equal(again.code, 0, again.out)
})

test('the guardian limits withdrawals to a tenth per hour at every engine that has the token', async () => {
  const { code, out } = await guard(GUARDIAN, 'limit-outflow', 'USDC')
  assert.equal(code, 0, out)
  assert.match(out, /^outflow limit of USDC at spot, basis points per hour: 2500 -> 1000$/m)
  assert.match(out, /^outflow limit of USDC at perps, basis points per hour: 5000 -> 1000$/m)
  const { spot } = readRecord(paths.folder)
  const wrong = await guard(GUARDIAN, 'limit-outflow', 'USDT')
  assert.match(
    wrong.err,
    /^token is unknown: got "USDT", expected one of .*; the nearest is USDC$/m,
  )
  const { key: _key, ...keyless } = paths
  const printed = await run(keyless, 'admin', ['limit-outflow', 'all', '--calldata'])
  const [, to, data] = /to {3}(0x\w+)\ndata (0x\w+)/.exec(printed.out) ?? []
  assert.equal(to, spot, 'ETH has no limit yet')
  await chain.rpc.call('eth_call', { from: chain.wallets[GUARDIAN], to, data }, 'latest')
})

test('the guardian stops deposits at once, and only the owner can allow them again', async () => {
  const { code, out } = await guard(GUARDIAN, 'stop-deposits', 'USDC')
  assert.equal(code, 0, out)
  assert.match(
    out,
    /^deposit caps of USDC at spot \(total, per account\): 5000000000000 100000000000 -> 0 0$/m,
  )
  assert.match(
    out,
    /^deposit caps of USDC at perps \(total, per account\): 10000000000000 200000000000 -> 0 0$/m,
  )
})

test('the guardian commands refuse no name, and "all" with other names', async () => {
  assert.match(
    (await guard(GUARDIAN, 'halt')).err,
    /^halt is incomplete: got no name, expected one or more names, or "all"$/m,
  )
  assert.match(
    (await guard(GUARDIAN, 'halt', 'all', 'ETH-PERP')).err,
    /got "all" and 1 more, expected only "all"/,
  )
  assert.match((await guard(GUARDIAN, 'halt', 'ETH-PREP')).err, /the nearest is ETH-PERP/)
})
