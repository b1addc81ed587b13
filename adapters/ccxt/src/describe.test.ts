import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Exchange } from 'ccxt'
import { openvenue } from './openvenue.ts'

/** Kinds of markets and transports, which are not methods. */
const NO_METHODS = ['publicAPI', 'privateAPI', 'CORS', 'dex', 'spot', 'swap', 'ws']

test('every method in `has` is implemented by the adapter or derived by ccxt', () => {
  const exchange = new openvenue()
  const isDefined = (name: string) => Object.hasOwn(chainOf(exchange), name)
  const claimed = Object.entries(exchange.has)
    .filter(([name, has]) => has === true && !NO_METHODS.includes(name))
    .map(([name]) => name)
  assert.ok(claimed.length > 50, `${claimed.length} methods`)
  const missing = claimed.filter((name) => !isDefined(name) && !MADE_BY_CCXT.test(name))
  assert.deepEqual(missing, [])
})

test('every method that the adapter implements is in `has`', () => {
  const exchange = new openvenue()
  const unified = Object.keys(chainOf(exchange)).filter((name) => Object.hasOwn(exchange.has, name))
  const silent = unified.filter((name) => exchange.has[name] !== true)
  assert.deepEqual(silent, [])
})

/** ccxt derives these from `createOrder`, `fetchOHLCV` and `fetchOrderBook`, according to `has`. */
const MADE_BY_CCXT =
  /^create(Limit|Market|PostOnly|ReduceOnly|Stop|TakeProfit|Trigger)|OHLCV$|^fetchL2OrderBook$/

/** Returns the methods of the adapter's own classes. */
function chainOf(exchange: Exchange): Record<string, unknown> {
  const methods: Record<string, unknown> = {}
  for (
    let at = Object.getPrototypeOf(exchange);
    at !== Exchange.prototype;
    at = Object.getPrototypeOf(at)
  )
    for (const name of Object.getOwnPropertyNames(at)) methods[name] = at[name]
  return methods
}
