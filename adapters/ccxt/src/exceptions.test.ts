import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { REFUSALS } from '@openvenue/api/http/refusals'
import { ExchangeError, OperationFailed } from 'ccxt'
import { EXACT, exceptionOf } from './exceptions.ts'

test('every code that the venue refuses with, over REST and sockets, is an exception of ccxt', () => {
  const sockets = readFileSync(new URL('../../../docs/SOCKETS.md', import.meta.url), 'utf8')
  const [, codes = ''] = sockets.split('## Codes')
  const overSockets = [...codes.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = '']) => code)
  assert.ok(overSockets.length > 15, `${overSockets.length} codes`)
  const unmapped = [...Object.keys(REFUSALS), ...overSockets].filter((code) => !(code in EXACT))
  assert.deepEqual(unmapped, [])
})

test('a code is no exception that the venue does not have', () => {
  const sockets = readFileSync(new URL('../../../docs/SOCKETS.md', import.meta.url), 'utf8')
  const unknown = Object.keys(EXACT).filter(
    (c) => !(c in REFUSALS) && !sockets.includes(`\`${c}\``),
  )
  assert.deepEqual(unknown, [])
})

test('what may help to send again, and nothing else, is an exception that ccxt retries', () => {
  const isRetried = (code: string) => exceptionOf(code).prototype instanceof OperationFailed
  for (const [code, { status }] of Object.entries(REFUSALS))
    if (status === 429 || status === 503) assert.ok(isRetried(code), code)
    else if (isRetried(code)) assert.ok([401, 408, 500].includes(status), `${code} ${status}`)
  assert.equal(exceptionOf('NEW_CODE'), ExchangeError)
})
