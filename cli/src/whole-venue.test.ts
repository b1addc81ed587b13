// Runs the command against a whole venue: user journeys as processes, everything else by calling
// the function that the process runs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@openvenue/core/test/until'
import { capDeposits } from '@openvenue/e2e/deposit-caps'
import { startVenue, type TestVenue } from '@openvenue/e2e/venue'
import type { shapes } from 'openvenue'
import { WebSocket } from 'ws'
import { run } from './program.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

const home = mkdtempSync(join(tmpdir(), 'openvenue-cli-'))
const file = join(home, 'openvenue', 'devnet.json')
/** Requests that were forwarded to the API and the chain node. */
const sent: string[] = []
/** Request that is forwarded but whose answer is dropped. */
let unanswered = ''
const closings: (() => Promise<unknown>)[] = []
let venue: TestVenue
let env: Record<string, string>

before(async () => {
  venue = await startVenue({ registerRate: undefined })
  const { apiUrl, rpcUrl } = venue.devnet
  env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    XDG_CONFIG_HOME: home,
    OPENVENUE_NETWORK: 'devnet',
    OPENVENUE_URL: await passOn(apiUrl, (method, path) => `${method} ${path}`),
    OPENVENUE_RPC_URL: await passOn(rpcUrl, (_method, _path, body) => rpcMethods(body)),
  }
})
after(async () => {
  for (const close of closings) await close()
  await venue?.remove()
  rmSync(home, { recursive: true, force: true })
})

type NameRequest = (method: string, path: string, body: string) => string

/** Forwards and records requests, including sockets. Returns its address. */
async function passOn(target: string, name: NameRequest): Promise<string> {
  const { hostname, port } = new URL(target)
  const server = createServer(async (incoming, answer) => {
    const body = await buffer(incoming)
    const { method = '', url: path = '', headers } = incoming
    sent.push(name(method, path, String(body)))
    const onward = request({ hostname, port, method, path, headers }, (response) => {
      if (unanswered === `${method} ${path}`) {
        answer.destroy()
        return
      }
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    onward.end(body)
  })
  server.on('upgrade', ({ url, headers }, socket) => {
    const onward = new Socket().connect(Number(port), hostname, () => {
      const lines = Object.entries(headers).map(([key, value]) => `${key}: ${value}`)
      onward.write(`GET ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
      socket.pipe(onward).pipe(socket)
    })
    for (const half of [socket, onward])
      half.on('error', () => [socket, onward].map((s) => s.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const rpcMethods = (body: string): string => {
  const calls = [JSON.parse(body)].flat() as { method: string }[]
  return calls.map(({ method }) => method).join(' ')
}

type ProgramResult = Readonly<{ code: number | null; out: string; err: string }>

/** Runs the command as a process to its end. */
function openvenue(line: string): Promise<ProgramResult> {
  const child = spawn(process.execPath, [MAIN, ...line.split(' ')], { env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    said.err += chunk
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, ...said })))
}

/** Runs the command in this process, which saves seconds. */
async function inside(line: string, more: Record<string, string> = {}): Promise<ProgramResult> {
  const said = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text
    },
    isTerminal: false,
    columns: 80,
    rows: 24,
  })
  const code = await run(line.split(' '), {
    env: { ...env, ...more },
    out: sink('out'),
    err: sink('err'),
    WebSocket: WebSocket as never,
    signal: new AbortController().signal,
    nodeVersion: process.versions.node,
    homeDir: home,
  })
  return { code, ...said }
}

/** Runs the command, asserts success and returns its JSON. */
async function json<T>(
  line: string,
  how: (line: string) => Promise<ProgramResult> = inside,
): Promise<T> {
  const { code, out, err } = await how(`${line} --json`)
  assert.equal(code, 0, `${line}: ${err}`)
  return JSON.parse(out) as T
}

/** Returns the requests that change the venue or the chain, which a preview does not. */
const changing = () =>
  sent.filter(
    (request) =>
      /^(POST|DELETE|PUT|PATCH) (?!\/orders\/preview)/.test(request) || /eth_send/.test(request),
  )

/** Returns a percentage of the mark, in whole dollars. */
async function nearMark(percent: bigint): Promise<string> {
  const { mark } = await json<shapes.Ticker>('ticker ETH-PERP')
  return String((BigInt((mark.price ?? '').split('.', 1)[0] ?? '') * percent) / 100n)
}

async function openIds(): Promise<string[]> {
  const { orders } = await json<shapes.OpenOrdersPage>('orders')
  return orders.map(({ order_id }) => order_id)
}

const untilNoneIsOpen = () => until('no order is open', async () => (await openIds()).length === 0)

describe('the command, from nothing to an order', () => {
  test('public data is shown as a table, as CSV and as JSON', async () => {
    const { out, code } = await openvenue('markets')
    assert.equal(code, 0)
    assert.match(out, /^market +type +mark price/)
    const csv = (await inside('candles ETH-PERP --limit 3 --csv')).out.trim().split('\n')
    assert.match(csv[0] ?? '', /^time,open,high,low,close,volume/)
    assert.ok(csv.length > 1 && csv.slice(1).every((line) => /^\d{10},[\d.]+,/.test(line)))
    const all = await json<shapes.Candle[]>('candles ETH-PERP --resolution 5 --from 1')
    const some = await json<shapes.Candle[]>('candles ETH-PERP --resolution 5 --from 1 --limit 2')
    assert.deepEqual(some, all.slice(0, 2))
    const markets = await json<shapes.Market[]>('markets --type SPOT')
    assert.ok(markets.every(({ instrument_type }) => instrument_type === 'SPOT'))
  })

  test('keys new creates a wallet and keys in a private file and prints no secret', async () => {
    const dry = await inside('keys new --create-wallet --dry-run')
    assert.equal(dry.code, 0, dry.err)
    assert.equal(existsSync(file), false)
    assert.deepEqual(changing(), [])
    const { code, out, err } = await openvenue('keys new --create-wallet')
    assert.equal(code, 0, err)
    assert.equal((statSync(file).mode & 0o777).toString(8), '600')
    const credentials = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
    for (const name of ['api_secret', 'signing_key', 'wallet_key']) {
      assert.ok((credentials[name] ?? '').length > 30, name)
      assert.ok(!`${out}${err}`.includes(credentials[name] ?? ''), name)
    }
    assert.match(out, /on chain +done/)
    assert.equal((await inside('keys new')).code, 2)
    assert.equal((await inside('keys new --create-wallet --force')).code, 2)
  })

  test('the faucet funds the wallet, and a deposit takes one transaction', async () => {
    const { grants } = await json<{ grants: { token: string }[] }>('faucet', openvenue)
    assert.deepEqual(grants.map(({ token }) => token).sort(), ['BTC', 'ETH', 'EURC', 'USDC', 'gas'])
    const { transactions } = await json<{ transactions: unknown[] }>(
      'deposit 20000 USDC',
      openvenue,
    )
    assert.equal(transactions.length, 1)
    // The chain has the deposit; the venue has it once it has read that block.
    const readBalance = async () => (await json<shapes.Account>('account')).balance
    await until('the venue has the deposit', async () => (await readBalance()) === '20000')
    const tooMuch = await openvenue('withdraw 30000 USDC')
    assert.equal(tooMuch.code, 1)
    assert.match(tooMuch.err, /withdraw: reverted with BalanceTooLow/)
  })

  test('a deposit above the cap is refused with the maximum before anything is sent', async () => {
    await capDeposits(venue, { perAccount: 20_500_000_000n })
    sent.length = 0
    for (const line of ['deposit 500.000001 USDC', 'deposit 500.000001 USDC --dry-run']) {
      const { code, err } = await inside(line)
      assert.equal(code, 2, err)
      assert.match(
        err,
        /expected at most 500 USDC: the deposit cap of perps is 20500 USDC per account/,
      )
      assert.match(err, /^[^\n]+\n$/)
    }
    await capDeposits(venue, { total: 0n })
    assert.match((await inside('deposit 1 USDC')).err, /perps does not accept USDC/)
    assert.match((await inside('deposit 1 ETH')).err, /perps does not accept ETH/)
    assert.deepEqual(changing(), [])
    await capDeposits(venue, {})
    assert.equal((await inside('deposit 500.000001 USDC --dry-run')).code, 0)
  })

  test('a dry run of any command signs and sends nothing', async () => {
    const price = await nearMark(90n)
    sent.length = 0
    for (const line of [
      `place ETH-PERP buy 0.5 --price ${price}`,
      'cancel-all',
      'deposit 1 USDC --to spot',
      'withdraw 1 USDC',
      'faucet',
      'keys revoke --all',
      'keys revoke --signing',
      'keys allow',
    ]) {
      const { code, err } = await inside(`${line} --dry-run`)
      assert.equal(code, 0, `${line}: ${err}`)
      assert.match(err, /nothing is signed or sent/)
    }
    assert.ok(sent.includes('POST /orders/preview'))
    assert.deepEqual(changing(), [])
    const plan = await json<{ preview: shapes.OrderPreview; typed_data: { message: object } }>(
      `place ETH-PERP buy 0.5 --price ${price} --dry-run`,
    )
    assert.equal(plan.preview.resting, '0.5')
    assert.equal((plan.typed_data.message as { isBuy: boolean }).isBuy, true)
  })
})

describe('the command, with orders', () => {
  test('place rejects a price between two steps and places a resting order', async () => {
    const price = await nearMark(90n)
    const between = await inside(`place ETH-PERP buy 0.5 --price ${price}.005`)
    assert.equal(between.code, 2)
    assert.match(
      between.err,
      new RegExp(`the nearest are ${price} and ${price}\\.01; or pass --round`),
    )
    const rounded = `place ETH-PERP buy 0.5 --price ${price}.005 --round --post-only --client-id mine`
    const order = await json<shapes.Order>(`${rounded} --wait`, openvenue)
    assert.deepEqual([order.order_status, order.price], ['opened', price])
    assert.deepEqual(
      (await json<shapes.OpenOrdersPage>('orders', openvenue)).orders.map(
        (order) => order.order_id,
      ),
      [order.order_id],
    )
    const named = await json<shapes.Order>('orders mine --client-id')
    assert.equal(named.order_id, order.order_id)
  })

  test('cancel signs, and needs no signature once the venue is allowed to cancel', async () => {
    const [id = ''] = await openIds()
    sent.length = 0
    const { unsent } = await json<{ unsent: { body: object }[] }>(`cancel ${id} --dry-run`)
    assert.ok(unsent[0] !== undefined && 'typed_data' in unsent[0].body)
    assert.deepEqual(changing(), [])
    const cancelled = await json<shapes.CancelledOrder>(`cancel ${id}`, openvenue)
    assert.equal(cancelled.order_id, id)
    await untilNoneIsOpen()
    assert.equal((await inside('keys allow')).code, 0)
    const price = await nearMark(90n)
    await json(`place ETH-PERP buy 0.5 --price ${price} --wait`)
    assert.equal((await inside('cancel-all --side sell')).code, 0)
    assert.equal((await openIds()).length, 1)
    assert.equal((await inside('cancel-all')).code, 0)
    await untilNoneIsOpen()
    const unknown = await inside(`cancel 0x${'0'.repeat(64)}`)
    assert.equal(unknown.code, 1)
    assert.match(unknown.out, /refused/)
  })

  test('edit and cancel accept client order ids, and an unknown id does not fail the others', async () => {
    const price = await nearMark(90n)
    const first = await json<shapes.Order>(
      `place ETH-PERP buy 0.5 --price ${price} --post-only --client-id one --wait`,
    )
    sent.length = 0
    const lower = await nearMark(89n)
    const plan = await inside(`edit one --price ${lower} --dry-run`)
    assert.equal(plan.code, 0, plan.err)
    assert.match(plan.out, /replacing the edited order/)
    assert.deepEqual(changing(), [])
    const edited = await json<shapes.Order>(`edit one --price ${lower} --amount 0.4 --wait`)
    assert.deepEqual([edited.price, edited.amount, edited.post_only], [lower, '0.4', true])
    assert.deepEqual(await openIds(), [edited.order_id])
    assert.equal((await inside(`edit ${first.order_id} --price ${lower}`)).code, 2)
    assert.equal((await inside('edit one')).code, 2)
    await json(`place ETH-PERP buy 0.3 --price ${price} --client-id two --wait`)
    const some = await inside('cancel two missing')
    assert.equal(some.code, 1)
    assert.match(some.out, /two +cancel/)
    assert.match(some.out, /missing +refused/)
    assert.equal((await inside('cancel-all')).code, 0)
    await untilNoneIsOpen()
  })

  test('place prints how to look up an order whose answer was lost', async () => {
    const price = await nearMark(90n)
    unanswered = 'POST /orders'
    const { code, err } = await inside(`place ETH-PERP buy 0.5 --price ${price}`)
    unanswered = ''
    assert.equal(code, 3)
    const [, id = ''] = /may have been placed: openvenue orders (0x[0-9a-f]{64})/.exec(err) ?? []
    assert.equal((await json<shapes.Order>(`orders ${id}`)).order_id, id)
    assert.equal((await inside('cancel-all')).code, 0)
    await untilNoneIsOpen()
  })

  test('place --wait follows an order until it is filled into a position', async () => {
    const price = await nearMark(120n)
    const order = await json<shapes.Order>(`place ETH-PERP buy 0.01 --price ${price} --ioc --wait`)
    assert.equal(order.order_status, 'filled')
    const { positions } = await json<shapes.PositionsPage>('positions --type PERPETUAL')
    assert.deepEqual(
      positions.map(({ amount }) => amount),
      ['0.01'],
    )
    const { out } = await inside('trades --mine --csv')
    assert.match(out.split('\n')[1] ?? '', /,ETH-PERP,buy,/)
    const refused = await inside('place ETH-PERP buy 5000 --price 3000')
    assert.equal(refused.code, 1)
    assert.match(refused.err, /EXCEED_MAX_ORDER_VALUE.*\n.*the nearest is 333\.3333;/)
  })

  test('close reduces a position and closes all of it', async () => {
    sent.length = 0
    assert.equal((await inside('close ETH-PERP --dry-run')).code, 0)
    assert.deepEqual(changing(), [])
    const part = await json<shapes.Order>('close ETH-PERP --amount 0.004 --wait')
    assert.deepEqual([part.side, part.reduce_only, part.amount], ['sell', true, '0.004'])
    const rest = await json<shapes.Order>('close ETH-PERP --worst 10 --wait')
    assert.deepEqual([rest.order_status, rest.filled], ['filled', '0.006'])
    const none = await inside('close ETH-PERP')
    assert.equal(none.code, 2)
    assert.match(none.err, /no open position in ETH-PERP/)
    assert.equal((await inside('close NO-PERP')).code, 2)
  })

  test('invalid input ends with 2 and one line, or with a refusal, at a live venue', async () => {
    const wrong = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const huge = '9'.repeat(60)
    for (const line of [
      `faucet ${wrong}`,
      `withdraw 1 USDC --recipient ${wrong}`,
      `keys new --force --account ${wrong}`,
      'withdraw 1 NONE',
      `deposit ${huge} USDC`,
      `place ETH-PERP buy ${huge} --price 1`,
      `place ETH-PERP buy 1 --price ${huge}`,
      'place eth-prp buy 1 --price 1',
      `place ETH-PERP buy 1 --price 1 --client-id ${'x'.repeat(37)}`,
      'place ETH-PERP buy 1 --price 1 --good-til 999999999999',
      'place ETH-PERP buy 1 --price 1 --stop NaN',
      'candles ETH-PERP --from 2 --to 1',
    ]) {
      const { code, err } = await inside(line)
      assert.equal(code, 2, `${line}: ${err}`)
      assert.match(err, /^[^\n]+\n$/, line)
    }
    for (const line of ['book NO-SUCH', 'candles NO-SUCH', 'orders missing']) {
      const { code, out, err } = await inside(line)
      assert.ok(code === 1 || code === 2, `${line}: ${code} ${out} ${err}`)
    }
  })

  test('watch prints JSON lines, and rows below a single header', async () => {
    const lines = (await inside('watch ticker ETH-PERP --count 2 --json')).out.trim().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { channel: string }).channel),
      ['ticker:ETH-PERP', 'ticker:ETH-PERP'],
    )
    const { out } = await openvenue('watch book ETH-PERP --count 2 --csv --depth 2')
    assert.match(out, /^block_number,bid_orders,.*\n(\d+,.+\n){4}$/)
    assert.equal((await inside('watch trades NO-SUCH')).code, 1)
  })
})

describe('the command, in the end', () => {
  test('a withdrawal succeeds, and doctor finds no problem', async () => {
    const { transactions } = await json<{ transactions: unknown[] }>('withdraw 100 USDC', openvenue)
    assert.equal(transactions.length, 1)
    const { ok, findings } = await json<{ ok: boolean; findings: { status: string }[] }>(
      'doctor --verify',
      openvenue,
    )
    assert.ok(ok)
    assert.deepEqual(
      findings.filter(({ status }) => status !== 'ok'),
      [],
    )
  })

  test('the command refuses a wrong network and a file that others can read', async () => {
    const other = await inside('markets', { OPENVENUE_NETWORK: 'testnet' })
    assert.equal(other.code, 6)
    assert.match(other.err, /got devnet, expected testnet/)
    chmodSync(file, 0o644)
    const open = await inside('account')
    assert.equal(open.code, 4)
    assert.match(open.err, /chmod 600/)
    const doctor = await inside('doctor')
    assert.equal(doctor.code, 6)
    assert.match(doctor.out, /fail +file .+ mode 644 +chmod 600/)
    chmodSync(file, 0o600)
  })

  test('keys revoke removes the key from the file', async () => {
    assert.equal((await openvenue('keys revoke')).code, 0)
    const { code, err } = await inside('account')
    assert.equal(code, 4)
    assert.match(err, /API key missing/)
  })
})
