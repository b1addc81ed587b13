// Follows docs/API-GUIDE.md literally: the library's package in an empty folder, and the guide's
// programs against a venue, whose output must have the form shown in the guide.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { grantTxs } from '@openvenue/devnet/grant'
import { ROLES } from '@openvenue/devnet/roles'
import { type ChainRpc, rpcAt } from '@openvenue/devnet/rpc'
import { buildPackage, OLDEST_NODE } from '../../client/scripts/build.ts'
import { nodeOf } from '../../client/test/programs.ts'
import { createChainClient } from './chain-client.ts'
import { startVenue, type TestVenue } from './venue.ts'

const run = promisify(execFile)
const GUIDE = readFileSync(new URL('../../docs/API-GUIDE.md', import.meta.url), 'utf8')
const PROGRAM_MS_MAX = 60_000

/** Returns the code blocks of that kind, by the file that they name. */
const blocks = (kind: string) =>
  new Map(
    [...GUIDE.matchAll(new RegExp(`^\`\`\`${kind} (\\S+)\\n(.*?)^\`\`\`$`, 'gms'))].map(
      ([, name = '', text = '']) => [name, text],
    ),
  )
const PROGRAMS = blocks('js')
const OUTPUTS = blocks('text')

/** Numbers differ from run to run, words do not. */
const formOf = (text: string) => text.trimEnd().replaceAll(/-?\d[\d.]*/g, '#')

let venue: TestVenue
let rpc: ChainRpc
const root = mkdtempSync(join(tmpdir(), 'openvenue-guide-'))
const bot = join(root, 'bot')
before(async () => {
  const starting = startVenue({ registerRate: undefined })
  await buildPackage(join(root, 'package'))
  await run('npm', ['pack', join(root, 'package'), '--pack-destination', root], { cwd: root })
  mkdirSync(bot)
  await run('npm', ['init', '-y'], { cwd: bot })
  const packages = [join(root, 'openvenue-0.1.0.tgz'), 'viem@2.57.1', 'ws']
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: bot })
  for (const [name, text] of PROGRAMS) writeFileSync(join(bot, name), text)
  venue = await starting
  rpc = rpcAt(venue.devnet.rpcUrl)
})
after(async () => {
  await venue?.remove()
  rmSync(root, { recursive: true, force: true })
})

async function follow(name: string): Promise<string> {
  const { stdout } = await run(process.execPath, [name], {
    cwd: bot,
    timeout: PROGRAM_MS_MAX,
    env: { ...process.env, API_URL: venue.devnet.apiUrl },
  })
  return stdout
}

describe('docs/API-GUIDE.md', () => {
  test('a program of docs/API-GUIDE.md shows the market of the venue', async () => {
    assert.equal(formOf(await follow('market.mjs')), formOf(OUTPUTS.get('market.mjs') ?? ''))
  })

  test('a program of docs/API-GUIDE.md makes a wallet and a key in a private file', async () => {
    const wallet = (await follow('keys.mjs')).trim()
    assert.match(wallet, /^0x[0-9a-fA-F]{40}$/)
    assert.equal(statSync(join(bot, 'keys.json')).mode & 0o777, 0o600)
    const { deployment } = venue.devnet
    const faucet = ((await rpc.call('eth_accounts')) as string[])[ROLES.faucet] ?? ''
    await createChainClient(rpc).send(grantTxs(deployment, faucet, wallet))
  })

  test('programs of docs/API-GUIDE.md register, deposit, and have an order filled', async () => {
    for (const name of ['register.mjs', 'trade.mjs'])
      assert.equal(formOf(await follow(name)), formOf(OUTPUTS.get(name) ?? ''), name)
  })

  test('the order in the README of the client package works on the oldest Node', async () => {
    const readme = readFileSync(join(root, 'package', 'README.md'), 'utf8')
    const programs = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text = '']) => text)
    const program = programs.find((text) => text.includes('POST /orders')) ?? ''
    const { wallet } = JSON.parse(readFileSync(join(bot, 'keys.json'), 'utf8')) as {
      wallet: string
    }
    const here = stripTypeScriptTypes(program)
      .replace('http://127.0.0.1:3000', venue.devnet.apiUrl)
      .replace(/0x[0-9a-f]{64}/, wallet)
    writeFileSync(join(bot, 'order.mjs'), here)
    const shown = [...program.matchAll(/^\/\/ (\w+ [\d.]+)$/gm)].map(([, line]) => line)
    assert.equal(shown.length, 2)
    const node = await nodeOf(OLDEST_NODE)
    const { stdout } = await run(node, ['order.mjs'], { cwd: bot, timeout: PROGRAM_MS_MAX })
    assert.deepEqual(stdout.trimEnd().split('\n'), shown)
  })

  test('the command of the client package finds no fault, on the oldest Node', async () => {
    const command = [join(bot, 'node_modules/.bin/openvenue'), 'doctor', '--json']
    const { apiUrl, rpcUrl } = venue.devnet
    const places = ['--url', apiUrl, '--rpc', rpcUrl]
    // A home directory without keys.
    const options = { timeout: PROGRAM_MS_MAX, env: { PATH: process.env.PATH, HOME: root } }
    const { stdout } = await run(await nodeOf(OLDEST_NODE), [...command, ...places], options)
    const { ok, findings } = JSON.parse(stdout) as {
      ok: boolean
      findings: { check: string; status: string; found: string }[]
    }
    assert.equal(ok, true, stdout)
    const statusOf = (name: string) => findings.find(({ check }) => check === name)?.status
    assert.deepEqual([statusOf('api'), statusOf('socket')], ['ok', 'ok'], stdout)
  })

  test('docs/API-GUIDE.md links to existing files', () => {
    const links = [...GUIDE.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => link)
    assert.ok(links.length > 5)
    for (const link of links)
      assert.ok(statSync(new URL(`../../docs/${link}`, import.meta.url)), link)
  })
})
