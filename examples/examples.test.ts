// Runs every example as a user does, against one devnet, and compares its output with the API.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Endpoints, Rest, type shapes } from 'openvenue'
import { startVenue, type TestVenue } from '../e2e/src/venue.ts'

const FOLDER = import.meta.dirname
const LINES_MAX = 119
const MAY_IMPORT = /^(openvenue|openvenue\/signing|viem|viem\/accounts|node:.+)$/
const WAIT_MS_MAX = 40_000

type Env = Readonly<Record<string, string>>
type Run = Readonly<{
  child: ChildProcess
  /** Output so far. */
  output: () => string
  /** Resolves with the match as soon as the output contains it. */
  wrote: (pattern: RegExp) => Promise<RegExpExecArray>
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}>

let venue: TestVenue
let url: string
/** Environments with an account each. */
let maker: Env
let trader: Env
const children = new Set<ChildProcess>()

function start(program: string, args: readonly string[] = [], env: Env = {}): Run {
  const child = spawn(process.execPath, [join(FOLDER, `${program}.ts`), ...args], {
    env: { ...process.env, OPENVENUE_URL: url, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let [output, errors] = ['', '']
  const looks = new Set<() => void>()
  child.stdout.on('data', (data) => {
    output += data
    for (const look of [...looks]) look()
  })
  child.stderr.on('data', (data) => {
    errors += data
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      children.delete(child)
      if (code !== 0) process.stderr.write(`${program}: ${errors}\n`)
      resolve(code)
    })
  })
  const wrote = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const fail = () => reject(new Error(`${program} wrote no ${pattern}:\n${output}${errors}`))
      const timer = setTimeout(fail, WAIT_MS_MAX)
      const look = () => {
        const match = pattern.exec(output)
        if (match === null) return
        clearTimeout(timer)
        looks.delete(look)
        resolve(match)
      }
      looks.add(look)
      look()
      child.once('close', fail)
    })
  return { child, output: () => output, wrote, ended }
}

/** Runs a program to its end and returns its output. */
async function run(program: string, args: readonly string[] = [], env: Env = {}): Promise<string> {
  const child = start(program, args, env)
  assert.equal(await child.ended, 0, `${program}: ${child.output()}`)
  return child.output()
}

const readEnv = (text: string): Env =>
  Object.fromEntries(
    [...text.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

const restOf = (env: Env = {}) => {
  const { OPENVENUE_API_KEY: key = '', OPENVENUE_API_SECRET: secret = '' } = env
  return new Rest({ url, ...(key && { apiKey: { key, secret } }) })
}

before(async () => {
  venue = await startVenue({ registerRate: undefined })
  url = venue.devnet.apiUrl
  const envs = await Promise.all(['5', '6'].map((index) => run('register', ['--index', index])))
  ;[maker, trader] = envs.map(readEnv) as [Env, Env]
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await venue?.remove()
})

describe('the examples', () => {
  const programs = globSync('*.ts', { cwd: FOLDER }).filter((name) => !name.endsWith('.test.ts'))

  test('the examples are short, describe their purpose first and import only published packages', () => {
    assert.ok(programs.length >= 9, `${programs}`)
    for (const name of programs) {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      assert.ok(text.trimEnd().split('\n').length <= LINES_MAX, `${name} is too long`)
      assert.match(text, /^\/\/ [A-Z]/, name)
      assert.match(text, new RegExp(`npx node examples/${name.replace('.', '\\.')}`), name)
      for (const [, from = ''] of text.matchAll(/ from '([^']+)'/g)) assert.match(from, MAY_IMPORT)
    }
  })

  test('the market maker ends with the ledger of the venue while other examples trade and read', async () => {
    const making = start('market-maker', [], maker)
    await Promise.all([tradeWithStops(), checkCandles(), checkWatchers()])
    await making.wrote(/position[\s\S]*position[\s\S]*position/)
    making.child.kill('SIGINT')
    assert.equal(await making.ended, 0, making.output())
    const matches = making.output().matchAll(/^(\w+): own (\S+), venue (\S+)$/gm)
    const rows = [...matches].map(([, name, ours, theirs]) => ({ name, ours, theirs }))
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['position', 'balance', 'fees', 'funding'],
    )
    for (const { name, ours, theirs } of rows) assert.equal(ours, theirs, `${name}`)
    assert.notEqual(rows[2]?.ours, '0')
    const { positions, balance } = await restOf(maker).call('GET /account')
    assert.deepEqual(positions, [])
    const { orders } = await restOf(maker).call('GET /open-orders', PENDING_TOO)
    assert.deepEqual(orders, [])
    for (const [env, total] of [
      [maker, balance],
      [trader, undefined],
    ] as const) {
      const csv = await run('statement', ['--csv'], env)
      const [head = '', ...lines] = csv.trimEnd().split('\n')
      assert.equal(head.split(',').length, lines[0]?.split(',').length)
      if (total !== undefined) assert.equal(lines.at(-1)?.split(',').at(-1), total)
    }
  })
})

/** Includes orders that are pending or on their way to the chain. */
const PENDING_TOO = { query: { include: 'pending' } } as const

const stopsOf = async (env: Env) => {
  const { orders } = await restOf(env).call('GET /open-orders', PENDING_TOO)
  return orders.map(({ stop, amount, side }) => `${stop} ${side} ${amount}`).sort()
}

async function tradeWithStops(): Promise<void> {
  const dry = await run('taker', ['buy', '0.3', '--slippage', '2', '--dry-run'], trader)
  assert.match(dry, /would fill 0\.3 at/)
  assert.deepEqual((await restOf(trader).call('GET /positions')).positions, [])
  const bought = await run('taker', ['buy', '0.3', '--slippage', '2'], trader)
  const [, average] = /filled: 0\.3 of 0\.3 at (\S+), fees/.exec(bought) ?? []
  const [, bound] = /bound (\S+)/.exec(bought) ?? []
  assert.ok(Number(average) <= Number(bound), bought)

  const wide = start('stops', ['--stop', '20', '--take-profit', '20'], trader)
  await wide.wrote(/buy 0\.3 ETH-PERP: STOP_LOSS \S+, TAKE_PROFIT/)
  assert.deepEqual(await stopsOf(trader), ['STOP_LOSS sell 0.3', 'TAKE_PROFIT sell 0.3'])
  await run('taker', ['sell', '0.1', '--slippage', '2'], trader)
  await wide.wrote(/buy 0\.2 ETH-PERP/)
  wide.child.kill('SIGINT')
  assert.equal(await wide.ended, 0)
  assert.deepEqual(await stopsOf(trader), ['STOP_LOSS sell 0.2', 'TAKE_PROFIT sell 0.2'])

  // A take-profit below the entry fires immediately: neither pair nor position remains.
  const near = start('stops', ['--stop', '20', '--take-profit=-20'], trader)
  const history = () => restOf(trader).call('GET /order-history/stops')
  let filled: shapes.Order | undefined
  for (const endMs = Date.now() + WAIT_MS_MAX; filled === undefined; ) {
    assert.ok(Date.now() < endMs, near.output())
    const { order_history } = await history()
    filled = order_history.find(({ order_status }) => order_status === 'filled')
  }
  assert.equal(filled.stop, 'TAKE_PROFIT')
  assert.deepEqual((await restOf(trader).call('GET /positions')).positions, [])
  for (const endMs = Date.now() + WAIT_MS_MAX; (await stopsOf(trader)).length > 0; )
    assert.ok(Date.now() < endMs, near.output())
  near.child.kill('SIGINT')
  assert.equal(await near.ended, 0)
}

async function checkCandles(): Promise<void> {
  const to = Math.floor(Date.now() / 60_000) * 60 - 120
  // The history may start before this test, and ends where the test began.
  const from = to - 55 * 60
  type Query = Endpoints['GET /candles']['query']
  const query: Query = { instrument_name: 'ETH-PERP', resolution: '1', from, to }
  const range = ['--from', `${from}`, '--to', `${to}`]
  const csv = await run('candles', ['ETH-PERP', '--resolution', '1', ...range, '--page', '7'])
  const candles = await restOf().call('GET /candles', { query })
  assert.ok(candles.length > 14, `${candles.length} candles`)
  const rows = candles.map(({ time, open, high, low, close, volume, quote_volume, trades }) =>
    [
      new Date(time * 1000).toISOString(),
      open,
      high,
      low,
      close,
      volume,
      quote_volume,
      trades,
    ].join(),
  )
  const head = 'time,open,high,low,close,volume,quote_volume,trades'
  assert.equal(csv, `${[head, ...rows].join('\n')}\n`)
}

async function checkWatchers(): Promise<void> {
  const book = await run('book', ['ETH-PERP', '--once', '--levels', '3'])
  assert.match(book, /^ETH-PERP {2}block \d+ {2}checksum \d+\n/)
  assert.equal(book.trimEnd().split('\n').length, 2 + 3 + 1 + 3)
  assert.ok(!book.includes('\x1b'), 'a pipe gets no colours')
  const markets = await restOf().call('GET /markets', { query: { instrument_type: 'PERPETUAL' } })
  const funding = await run('funding', ['--once'])
  for (const { instrument_name } of markets)
    assert.match(funding, new RegExp(`^${instrument_name} +[+-][\\d.]+% +[+-][\\d.]+%`, 'm'))
  const nearest = await run('liquidations', ['--once', '--top', '2'])
  const ratios = [...nearest.matchAll(/^0x[0-9a-fA-F]{40} .* ratio ([\d.]+)$/gm)].map(([, ratio]) =>
    Number(ratio),
  )
  assert.equal(ratios.length, 2)
  assert.ok((ratios[0] ?? 0) <= (ratios[1] ?? 0))
}
