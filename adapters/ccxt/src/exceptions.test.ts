import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE, REST_CODES } from '@openvenue/wire/codes/catalogue'
import { ExchangeError, OperationFailed } from 'ccxt'
import { EXACT, exceptionOf } from './exceptions.ts'

test('exactly the codes of the catalogue map to ccxt exceptions', () => {
  assert.ok(CATALOGUE.length > 100)
  assert.deepEqual(
    Object.fromEntries(Object.entries(EXACT).map(([code, { name }]) => [code, name])),
    Object.fromEntries(CATALOGUE.map(({ code, ccxt }) => [code, ccxt])),
  )
})

test('ccxt retries exactly the refusals that a retry may resolve', () => {
  const isRetried = (code: string) => exceptionOf(code).prototype instanceof OperationFailed
  for (const [code, { status }] of Object.entries(REST_CODES))
    if (status === 429 || status === 503) assert.ok(isRetried(code), code)
    else if (isRetried(code)) assert.ok([401, 408, 500].includes(status), `${code} ${status}`)
  assert.equal(exceptionOf('NEW_CODE'), ExchangeError)
})
