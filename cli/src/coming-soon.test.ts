// The command at a venue whose trading is coming soon: only orders are refused.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { intentOf } from '@openvenue/api/test/made-intents'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import { WebSocket } from 'ws'
import type { Environment } from './host.ts'
import { run } from './program.ts'

const scenario = funded('ETH-USDC')
let venue: TradingSockets
let env: Environment
before(async () => {
  venue = await tradingSockets(scenario, { settings: { trading: 'coming_soon' } })
  const { key, secret } = await venue.issue('alice')
  env = {
    OPENVENUE_NETWORK: 'test',
    OPENVENUE_URL: venue.urls[0],
    OPENVENUE_API_KEY: key,
    OPENVENUE_API_SECRET: secret,
    OPENVENUE_ACCOUNT: venue.walletOf('alice'),
    OPENVENUE_SIGNING_KEY: `0x${scenario.accountOf('alice').toString(16).padStart(64, '0')}`,
  }
})
after(() => venue.close())

async function typed(line: string) {
  const said = { out: '', err: '' }
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text
    },
    isTerminal: false,
    columns: 200,
    rows: 24,
  })
  const host = {
    env,
    ...{ out: sink('out'), err: sink('err') },
    WebSocket: WebSocket as never,
    signal: new AbortController().signal,
    nodeVersion: process.versions.node,
    homeDir: '/nowhere',
  }
  return { code: await run(line.split(' '), host), ...said }
}

describe('the command before trading opens', () => {
  for (const line of ['info', 'markets'])
    test(`${line} shows coming_soon before trading opens`, async () => {
      const { code, out, err } = await typed(line)
      assert.equal(code, 0, err)
      assert.match(out, /coming_soon/)
      const [answer] = [JSON.parse((await typed(`${line} --json`)).out)].flat()
      assert.equal((answer.network ?? answer).trading, 'coming_soon')
    })

  test('doctor warns before trading opens', async () => {
    const { out } = await typed('doctor')
    assert.match(out, /warn +api .*trading coming_soon +new orders are not accepted now/)
  })

  test('place ends with 5 before trading opens, and prints the reason and the wait', async () => {
    const { code, err } = await typed('place ETH-USDC buy 0.01 --price 1000')
    assert.equal(code, 5, err)
    assert.match(err, /TRADING_NOT_LIVE.*coming soon/)
    assert.match(err, /retry in 3600/)
  })

  test('cancel works before trading opens', async () => {
    const intent = intentOf(scenario, 'alice')
    await venue.store.intents.add([intent])
    await venue.caughtUp()
    const { code, err } = await typed(`cancel ${intent.id}`)
    assert.equal(code, 0, err)
    assert.equal((await venue.store.intents.find([intent.id]))[0]?.state, 'withdrawn')
  })

  test('orders and book work before trading opens', async () => {
    for (const line of ['orders', 'book ETH-USDC']) assert.equal((await typed(line)).code, 0, line)
  })
})

test('the table of markets has no trading column once trading is live', async () => {
  const live = await tradingSockets(funded('ETH-USDC'))
  env = { ...env, OPENVENUE_URL: live.urls[0] }
  const { out, err } = await typed('markets')
  assert.doesNotMatch(out, /trading/, err)
  const [head = ''] = (await typed('markets --csv')).out.split('\n')
  assert.match(head, /,trading$/)
  await live.close()
})
