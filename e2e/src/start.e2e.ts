// A venue while it starts, as its own process: answers from the first second, discovery by its
// directory, and stops before it is ready.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { freePort } from '@openvenue/devnet/anvil'
import { readDeployment } from '@openvenue/devnet/deployment'
import { rpcAt } from '@openvenue/devnet/rpc'
import { WebSocket } from 'ws'
import { newDataDir } from './venue.ts'
import { isAlive } from './venue-process.ts'

const devnet = (name: string) =>
  fileURLToPath(new URL(`../../devnet/src/${name}.ts`, import.meta.url))

/** Takes at most 1.5 s on an idle machine, which tests share. */
const FIRST_ANSWER_MS_MAX = 8_000
const READY_MS_MAX = 120_000
const ENDED_MS_MAX = 20_000
/** Account 5 of the mnemonic. */
const WALLET = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'

type Run = Readonly<{
  dataDir: string
  process: ChildProcess
  startMs: number
  out: () => string
  err: () => string
  ended: Promise<number | string>
}>

const runs: Run[] = []
const dataDirs: string[] = []
after(() => {
  for (const { process: child, dataDir } of runs) {
    child.kill('SIGKILL')
    const anvil = anvilPid(dataDir)
    if (anvil !== undefined && isAlive(anvil)) process.kill(anvil, 'SIGKILL')
  }
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true, force: true })
})

function makeDataDir(): string {
  const dataDir = newDataDir()
  dataDirs.push(dataDir)
  return dataDir
}

/** Runs a program of the devnet on `dataDir`, with free ports. */
function run(name: string, dataDir: string, args: string[] = [], env = {}): Run {
  const child = spawn(process.execPath, [devnet(name), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...FREE_PORTS, DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
  })
  const texts = { out: '', err: '' }
  for (const name of ['out', 'err'] as const)
    child[`std${name}`].on('data', (chunk: Buffer) => {
      texts[name] += String(chunk)
    })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  const { out, err } = { out: () => texts.out, err: () => texts.err }
  const started = { dataDir, process: child, startMs: Date.now(), out, err, ended }
  if (name === 'main') runs.push(started)
  return started
}

const FREE_PORTS = {
  PORT: '0',
  INDEXER_PORT: '0',
  INTEGRATED_PORT: '0',
  ANVIL_PORT: '0',
  KEEPER_PORT: '0',
}

const start = (dataDir: string, historyHours: number) =>
  run('main', dataDir, [], { HISTORY_HOURS: String(historyHours) })

/** Runs a command to its end. */
async function command(name: string, dataDir: string, args: string[] = []) {
  const { ended, out, err } = run(name, dataDir, args)
  return { code: await ended, out: out(), err: err() }
}

function readJson(path: string): Record<string, unknown> | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

const running = (dataDir: string) => readJson(join(dataDir, 'running.json'))
const anvilPid = (dataDir: string) =>
  readJson(join(dataDir, 'anvil.pid'))?.pid as number | undefined

/** Returns the URLs of both hosts of a starting venue. */
const urls = async ({ dataDir }: Run) => {
  const look = () => {
    const venue = running(dataDir)
    return venue?.apiUrl !== undefined && venue
  }
  const { apiUrl, integratedUrl } = await until('the ports are open', look, FIRST_ANSWER_MS_MAX)
  return { apiUrl: String(apiUrl), integratedUrl: String(integratedUrl) }
}

const ready = async (url: string) => {
  const answer = await fetch(`${url}/ready`)
  const { awaiting } = (await answer.json()) as { awaiting?: string }
  return { status: answer.status, awaiting }
}

const untilReady = (url: string) =>
  until('the venue is ready', async () => (await ready(url)).status === 200, READY_MS_MAX)

const untilSaid = ({ out, err }: Run, text: string) =>
  until(
    () => `it says "${text}": ${out()}${err()}`,
    () => out().includes(text),
    READY_MS_MAX,
  )

const untilPast = ({ apiUrl }: { apiUrl: string }) =>
  until(
    'the past is being made',
    async () => /^making the past, /.test((await ready(apiUrl)).awaiting ?? ''),
    READY_MS_MAX,
  )

const endOf = (child: Run) =>
  Promise.race([
    child.ended,
    sleep(ENDED_MS_MAX, undefined, { ref: false }).then(() => 'does not end'),
  ])

test('a venue is live but not ready from its first second, and later ready at the same port', async () => {
  const dataDir = makeDataDir()
  const venue = start(dataDir, 1)
  const { apiUrl, integratedUrl } = await urls(venue)
  assert.equal((await ready(apiUrl)).status, 503)
  assert.ok(Date.now() - venue.startMs < FIRST_ANSWER_MS_MAX, 'it answers in time')
  assert.equal((await ready(integratedUrl)).status, 503)
  assert.equal((await fetch(`${apiUrl}/health`)).status, 200)
  await untilPast({ apiUrl })
  for (const url of [`${apiUrl}/markets`, `${integratedUrl}/api/clob/info`]) {
    const answer = await fetch(url)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
    assert.equal(((await answer.json()) as { error: string }).error, 'STARTING')
  }
  const socket = new WebSocket(`${apiUrl.replace('http', 'ws')}/ws`)
  socket.on('error', () => {})
  const [, refused] = await once(socket, 'unexpected-response')
  assert.equal(refused.statusCode, 503)
  socket.terminate()
  const second = await command('main', dataDir)
  assert.equal(second.code, 1)
  assert.match(
    second.err,
    new RegExp(`^a venue runs in .* already \\(${apiUrl}, process ${venue.process.pid}, .*\\n$`),
  )
  for (const [name, args] of [
    ['faucet', [WALLET]],
    ['register', []],
    ['scenario', ['crash', 'here']],
  ] as const) {
    const { code, err } = await command(name, dataDir, [...args])
    assert.equal(code, 1)
    assert.match(err, /^the venue in .* is starting \(process \d+\): try again.*\n$/, name)
  }
  await untilReady(apiUrl)
  assert.equal((await fetch(`${apiUrl}/markets`)).status, 200)
  assert.equal((await fetch(`${integratedUrl}/api/clob/info`)).status, 200)
  await until('the URL is printed', () => venue.out().includes(`API          ${apiUrl}`))
  assert.ok(venue.out().includes(`  Trade        ${apiUrl}/\n`), 'the page is built and named')
  const pageConfig = (await (await fetch(`${apiUrl}/config.json`)).json()) as {
    integratedUrl: string
  }
  assert.equal(new URL(pageConfig.integratedUrl).origin, integratedUrl, 'the page has its pools')
  const page = await fetch(apiUrl, { headers: { accept: 'text/html' } })
  assert.match(await page.text(), /<div id="app">/)
  // Without a terminal there are occasional lines and no control characters.
  for (const control of ['\r', '\u001b']) assert.ok(!venue.out().includes(control))
})

test('each of two venues is found by its own directory, and none in that of a stopped venue', async () => {
  const [run] = runs
  assert.ok(run !== undefined)
  const other = start(makeDataDir(), 0)
  const places = [await urls(run), await urls(other)]
  await untilReady(places[1]?.apiUrl ?? '')
  await until(
    'running.json says that the venue is ready',
    () => running(other.dataDir)?.isReady === true,
    READY_MS_MAX,
  )
  const granted = await command('faucet', other.dataDir, [WALLET])
  assert.equal(granted.code, 0, granted.err)
  const [before, after] = await Promise.all([run, other].map(({ dataDir }) => usdcOf(dataDir)))
  assert.equal(after, (before ?? 0n) * 2n)
  for (const [index, { dataDir }] of [run, other].entries()) {
    const { code, out, err } = await command('register', dataDir, ['5'])
    assert.equal(code, 0, err)
    assert.ok(out.includes(`'${places[index]?.apiUrl}/account'`), out)
  }
  other.process.kill('SIGTERM')
  assert.equal(await endOf(other), 0)
  const { code, err } = await command('register', other.dataDir)
  assert.equal(code, 1)
  assert.match(err, /^no venue runs in .*: start one with npm start.*\n$/)
  run.process.kill('SIGINT')
  assert.equal(await endOf(run), 0)
  assert.equal(running(run.dataDir), undefined)
})

/** Returns the wallet's token balance on the chain of `dataDir`. */
async function usdcOf(dataDir: string): Promise<bigint> {
  const data = `0x70a08231${WALLET.slice(2).padStart(64, '0')}`
  const to = readDeployment(dataDir)?.tokens.USDC
  const rpc = rpcAt(String(running(dataDir)?.rpcUrl))
  return BigInt(String(await rpc.call('eth_call', { to, data }, 'latest')))
}

test('Ctrl-C during the history ends the start at once, and the next start begins from scratch', async () => {
  const dataDir = makeDataDir()
  const venue = start(dataDir, 24)
  await untilPast(await urls(venue))
  const anvil = anvilPid(dataDir) ?? 0
  venue.process.kill('SIGINT')
  assert.equal(await endOf(venue), 0)
  assert.equal(venue.err(), '')
  assert.equal(isAlive(anvil), false)
  assert.equal(running(dataDir), undefined)
  await startsAnew(dataDir)
})

test('a venue killed during the history does not exist, and the next start begins from scratch', async () => {
  const dataDir = makeDataDir()
  const venue = start(dataDir, 24)
  await untilPast(await urls(venue))
  const anvil = anvilPid(dataDir) ?? 0
  venue.process.kill('SIGKILL')
  await venue.ended
  const { err } = await command('register', dataDir)
  assert.match(err, /^no venue runs in /)
  await startsAnew(dataDir)
  assert.equal(isAlive(anvil), false)
})

async function startsAnew(dataDir: string): Promise<void> {
  const venue = start(dataDir, 0)
  await until('the new chain is ready', () => venue.out().includes('(new chain in '), READY_MS_MAX)
  venue.process.kill('SIGTERM')
  assert.equal(await endOf(venue), 0)
  assert.equal(venue.err(), '')
}

test('a starting venue reports a taken port at once by name', async () => {
  const holder = start(makeDataDir(), 0)
  const { apiUrl } = await urls(holder)
  const { port } = new URL(apiUrl)
  for (const name of ['PORT', 'INTEGRATED_PORT', 'INDEXER_PORT', 'KEEPER_PORT', 'ANVIL_PORT']) {
    const dataDir = makeDataDir()
    const { ended, err } = run('main', dataDir, [], { [name]: port })
    assert.equal(await ended, 1)
    assert.match(
      err(),
      new RegExp(`^${name} is a free port, or 0 for any \\(${port} is [^\\n]+\\n$`),
    )
    assert.equal(running(dataDir), undefined)
  }
  holder.process.kill('SIGKILL')
  await holder.ended
})

test('a venue refuses to start on the chain port of another, and keeps its data', async () => {
  const dataDir = makeDataDir()
  const venue = start(dataDir, 0)
  await untilSaid(venue, 'openvenue is ready')
  const keys = join(dataDir, 'traders.json')
  await until('its traders are registered', () => existsSync(keys), READY_MS_MAX)
  venue.process.kill('SIGTERM')
  assert.equal(await endOf(venue), 0)
  const files = ['chain.state', 'deployment.json', 'traders.json']
  const read = () => files.map((name) => readFileSync(join(dataDir, name), 'hex'))
  const before = read()

  const holder = start(makeDataDir(), 0)
  await untilSaid(holder, 'openvenue is ready')
  const { port } = readJson(join(holder.dataDir, 'anvil.pid')) ?? {}
  const second = run('main', dataDir, [], { ANVIL_PORT: String(port), HISTORY_HOURS: '0' })
  assert.equal(await endOf(second), 1)
  assert.match(
    second.err(),
    new RegExp(
      `^ANVIL_PORT is a free port, or 0 for any \\(${port} is in use by the chain of another venue, process ${anvilPid(holder.dataDir)}\\)\\n$`,
    ),
  )
  assert.deepEqual(read(), before)
  assert.equal(isAlive(anvilPid(holder.dataDir) ?? 0), true)

  const again = start(dataDir, 0)
  await untilSaid(again, '(resumed chain in ')
  for (const start of [again, holder]) {
    start.process.kill('SIGTERM')
    assert.equal(await endOf(start), 0)
  }
})

test('one of two venues starting on the same ports runs, and the other reports the taken port', async () => {
  const ports = await Promise.all(
    Object.keys(FREE_PORTS).map(async (name) => [name, await freePort()]),
  )
  const env = { ...Object.fromEntries(ports), HISTORY_HOURS: '0' }
  const both = [makeDataDir(), makeDataDir()].map((dataDir) => run('main', dataDir, [], env))
  const [isRefused] = await Promise.race(
    both.map((start) => start.ended.then((code) => [start, code] as const)),
  )
  const other = both.find((start) => start !== isRefused)
  assert.equal(await isRefused.ended, 1)
  assert.match(
    isRefused.err(),
    /^[A-Z_]*PORT is a free port, or 0 for any \(\d+ is in use by .+\)\n$/,
  )
  assert.ok(other !== undefined)
  await untilSaid(other, 'openvenue is ready')
  other.process.kill('SIGTERM')
  assert.equal(await endOf(other), 0)
})

test('npm start -- --help names the variables, and there are no other options', async () => {
  const dataDir = makeDataDir()
  const help = await command('main', dataDir, ['--help'])
  assert.equal(help.code, 0)
  for (const name of ['DATA_DIR', ...Object.keys(FREE_PORTS)]) assert.ok(help.out.includes(name))
  const unknown = await command('main', dataDir, ['--fast'])
  assert.deepEqual([unknown.code, unknown.out], [1, ''])
  assert.match(unknown.err, /^--fast: npm start takes no options but --help/)
})
