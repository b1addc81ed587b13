// Checks the catalogue of error codes against every place that uses one.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { ErrorCatalogue } from '@openvenue/wire/codes/catalogue'
import { KEY_CODES } from '@openvenue/wire/codes/key-codes'
import { ORDER_CODES } from '@openvenue/wire/codes/order-codes'
import { REQUEST_CODES } from '@openvenue/wire/codes/request-codes'
import { VENUE_CODES } from '@openvenue/wire/codes/venue-codes'
import { SOCKET_CODES } from '@openvenue/wire/socket'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { REFUSALS, type RefusalCode } from '../http/refusals.ts'
import { contractProblem, KNOWN_ERRORS } from '../orders/rules/contract-errors.ts'
import type { ParsedOrder } from '../orders/rules/order-body.ts'
import { selectorOf } from '../orders/rules/signed-order.ts'
import { listErrors } from './error-catalogue.ts'

const ROOT = new URL('../../../', import.meta.url)
const BY_CODE = new Map(listErrors().map((entry) => [String(entry.code), entry]))

const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: ROOT.pathname, exclude: ['**/node_modules'] })

/** Words in capitals soon after `error` or `code`. */
const GIVEN = /\b(?:error|code)s?\b.{0,12}?['"`]([A-Z]+(?:_[A-Z]+)+)['"`]/g

describe('the catalogue of errors', () => {
  test('the catalogue of errors has every code that a test, an example or a page of documentation names', () => {
    const paths = filesOf('{api,client,e2e,devnet,wire}/**/*.ts', 'api/src/**/*.json', 'docs/*.md')
    const given = paths.flatMap((path) =>
      [...textOf(path).matchAll(GIVEN)].map(([, code = '']) => ({ path, code })),
    )
    assert.ok(given.length > 100, `${given.length} codes given`)
    assert.deepEqual(
      given.filter(({ code }) => !BY_CODE.has(code)),
      [],
    )
  })

  test('the catalogue of errors has no unused code', () => {
    // A restore records its reason, and the API passes it on.
    const sources = filesOf('api/src/**/*.ts', 'store/src/maintenance/restore-gap.ts')
      .filter((path) => !path.endsWith('.test.ts'))
      .map(textOf)
      .join('\n')
    const unused = [...BY_CODE.keys()].filter((code) => !new RegExp(`\\b${code}\\b`).test(sources))
    assert.deepEqual(unused, [])
  })

  test('the catalogue of errors has each code once, of REST as well as of the sockets, sorted', () => {
    const tables = [REQUEST_CODES, KEY_CODES, ORDER_CODES, VENUE_CODES].map(Object.keys)
    assert.equal(tables.flat().length, Object.keys(REFUSALS).length)
    const codes = listErrors().map(({ code }) => code)
    assert.deepEqual(codes, [...new Set(codes)].sort())
    const known = new Set([...Object.keys(REFUSALS), ...Object.keys(SOCKET_CODES)])
    assert.deepEqual(codes, [...known].sort())
  })

  test('the catalogue marks exactly the refusals with a time as wait, which are 429 and 503, and words the action', () => {
    for (const { code, status, retry, action, message } of BY_CODE.values()) {
      if (status === 429 || status === 503) assert.equal(retry, 'wait', code)
      assert.ok(status !== 500 || retry === 'backoff', code)
      assert.match(action, /^[A-Z].*\.$/, code)
      assert.match(message, /^[A-Z].*[^.]$/, code)
    }
  })

  test('the catalogue of errors names all members of details that an error of a contract has', () => {
    for (const signature of KNOWN_ERRORS) {
      const { code, field: _field, message: _message, ...given } = refusedWith(signature)
      const members = Object.keys(given).flatMap((name) =>
        name === 'facts' ? Object.keys(given.facts ?? {}).map((fact) => `facts.${fact}`) : [name],
      )
      const { details = [] } = BY_CODE.get(code) ?? {}
      assert.deepEqual(
        members.filter((member) => !details.includes(member)),
        [],
        `${signature} as ${code}`,
      )
    }
  })
})

const ORDER = {
  digest: `0x${'00'.repeat(32)}`,
  market: { quoteDecimals: 18, baseDecimals: 18, priceStep: 10n, amountStep: 10n },
  order: { isBuy: true, amount: 100n, replaces: `0x${'00'.repeat(32)}` },
} as unknown as ParsedOrder

/** Returns the problem of a contract error with the number 7 as each of its arguments. */
function refusedWith(signature: string): ReturnType<typeof contractProblem> {
  const count = signature.endsWith('()') ? 0 : signature.split(',').length
  return contractProblem(ORDER, selectorOf(signature) + '7'.padStart(64, '0').repeat(count))
}

describe('GET /errors', () => {
  let node: ScenarioNode
  before(async () => {
    node = await scenarioNode(funded('ETH-USDC').blocks())
  })
  after(() => node.close())

  test('GET /errors answers the whole catalogue, with the status and message of each refusal', async () => {
    const { errors } = (await node.get('/errors')).body as ErrorCatalogue
    assert.deepEqual(errors, listErrors())
    for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
      const { status, message } = BY_CODE.get(code) ?? {}
      assert.deepEqual([status, message], [REFUSALS[code].status, REFUSALS[code].message], code)
    }
  })

  test('GET /errors has the code of a refusal that it makes itself, with its details', async () => {
    const { body, status } = await node.get('/markets/eth-usdc')
    const { error, details = [] } = body as { error: string; details?: readonly object[] }
    const entry = BY_CODE.get(error)
    assert.deepEqual([entry?.status, entry?.retry], [status, 'change'])
    assert.ok(details.length > 0)
    for (const member of details.flatMap(Object.keys))
      assert.ok(['code', 'message', ...(entry?.details ?? [])].includes(member), member)
  })
})
