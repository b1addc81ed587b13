// Checks the claims of the documents on which generated and validating programs rely.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { randomScenario } from '@openvenue/core/test/scenario/random-scenario'
import type { Store } from '@openvenue/store/store'
import { openMemoryStore } from '@openvenue/store/test/memory-store'
import { documentText, integratedDocumentText } from '../scripts/openapi-document.ts'
import { REFUSALS } from '../src/http/refusals.ts'
import { type DescribedRoute, type Document, findResponse, listOperations } from './described.ts'
import { issueKey } from './keyed.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

const KEPT_IDS = JSON.parse(
  readFileSync(new URL('./operation-ids.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, Readonly<Record<string, string>>>>
const documents: Readonly<Record<string, Document>> = {
  api: JSON.parse(await documentText()) as Document,
  integrated: JSON.parse(await integratedDocumentText()) as Document,
}
const { api } = documents as { api: Document }

/** Refusals that no operation makes: without a routed request, or of sockets. */
const ELSEWHERE = [
  'MALFORMED_REQUEST',
  'ROUTE_NOT_FOUND',
  // From /docs/{file}, which is a page and not an endpoint.
  'DOCUMENT_NOT_FOUND',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'FORBIDDEN_ORIGIN',
  'SESSION_NOT_FOUND',
  'SOCKETS_FULL',
  'SERVER_STOPPING',
  'UPGRADE_REQUIRED',
  'STARTING',
  // A rule in previews; an order with a trigger is held, not refused.
  'TRIGGER_NOT_MET',
  // End reason of an order that waited when the database was lost.
  'RESTORED',
]

describe('the documents', () => {
  test('the documents have a name for each operation, which stays', () => {
    for (const [name, document] of Object.entries(documents)) {
      const ids = Object.fromEntries(
        listOperations(document).map(({ named, operation }) => [named, operation.operationId]),
      )
      assert.deepEqual(ids, KEPT_IDS[name], 'api/test/operation-ids.json: clients call them')
      const names = Object.values(ids)
      assert.equal(new Set(names).size, names.length)
      for (const id of names) assert.match(id, /^(get|post|put|patch|delete)([A-Z][a-z0-9]*)+$/)
    }
  })

  test('the documents name their servers, and the authentication of each operation', () => {
    for (const document of Object.values(documents)) {
      assert.deepEqual(
        document.servers.map(({ url }) => url),
        ['/'],
      )
      for (const { operation, named } of listOperations(document)) {
        assert.ok(Array.isArray(operation.security), named)
        assert.match(
          operation.description ?? '',
          /^(Public|Needs an API key( with the scope `(read|trade|cancel)`)?)\./,
          named,
        )
      }
    }
  })

  test('the documents have each object under its name, once', () => {
    const NAMED = 'Market Order Position Trade Candle Account Collateral BalancePoint Fill Problem'
    for (const name of NAMED.split(' ')) assert.ok(api.components.schemas[name], name)
    // No other schema has the members of a market, an order or a refusal.
    for (const member of ['price_step', 'chain_order_id', 'request_id']) {
      const inline = JSON.stringify(api.paths).split(`"${member}":{`).length - 1
      assert.equal(inline, 0, member)
    }
  })

  test('the documents describe a choice of words as one enum', () => {
    const parts: string[] = []
    JSON.stringify(Object.values(documents), (_name, value: unknown) => {
      const { anyOf, oneOf } = (value ?? {}) as Readonly<Record<string, unknown>>
      for (const part of [anyOf ?? [], oneOf ?? []].flat() as Record<string, unknown>[])
        if ('const' in part || 'enum' in part) parts.push(JSON.stringify(value))
      return value
    })
    // Blocks, or 'unknown' when there is no count.
    assert.deepEqual(
      parts.filter((part) => !part.includes('"unknown"')),
      [],
    )
    const { parameters = [] } = api.paths['/candles']?.get ?? {}
    const needed = parameters.filter(({ required }) => required).map(({ name }) => name)
    assert.deepEqual(needed, ['instrument_name', 'resolution'])
    const resolution = parameters.find(({ name }) => name === 'resolution')?.schema.enum
    assert.ok(Array.isArray(resolution) && resolution.includes('1M'))
  })

  test('the documents name every refusal code, wherever it can occur', () => {
    const described = Object.values(documents).flatMap((document) =>
      listOperations(document).flatMap(({ operation }) =>
        Object.keys(operation.responses).map(
          (status) =>
            [status, findResponse(document, operation, status)?.description ?? ''] as const,
        ),
      ),
    )
    for (const [code, { status }] of Object.entries(REFUSALS)) {
      const isNamed = described.some(
        ([own, text]) => own === String(status) && text.includes(`\`${code}\``),
      )
      assert.equal(isNamed, !ELSEWHERE.includes(code), code)
    }
  })
})

const WALLET = `0x${'a1'.repeat(20)}`

type ClaimCase = Readonly<{ url: string; isRefused: boolean }>

/** Returns the requests to send: each integer beyond its bounds, or very large without one. */
function listAsks({ path, method, operation }: DescribedRoute): ClaimCase[] {
  const { parameters = [], tags = [] } = operation
  // Charts are always answered with 200.
  if (method !== 'GET' || tags.includes('Charting')) return []
  const filled = path.replace('{address}', WALLET).replaceAll(/\{\w+\}/g, 'ETH-PERP')
  return parameters
    .filter(({ schema }) => schema.type === 'integer')
    .flatMap(({ name, schema }) => {
      const needed = parameters
        .filter((one) => one.in === 'query' && one.required && one.name !== name)
        // The minimum, so that no range ends before it begins.
        .map((one) => `${one.name}=${one.schema.type === 'integer' ? 1 : (one.example ?? 1)}&`)
      return beyond(schema).map(({ value, isRefused }) => ({
        url: `${filled}?${needed.join('')}${name}=${value}`,
        isRefused,
      }))
    })
}

function beyond(schema: Bounds) {
  const { maximum, minimum } = schema
  const values = [
    { value: maximum === undefined ? FAR : maximum + 1, isRefused: maximum !== undefined },
    ...(minimum === undefined ? [] : [{ value: minimum - 1, isRefused: true }]),
  ]
  // Numbers beyond the exact range have another text form.
  return values.filter(({ value }) => Number.isSafeInteger(value))
}

type Bounds = Readonly<{ maximum?: number; minimum?: number }>
const FAR = 1e9

describe('a node', () => {
  let store: Store
  let node: ScenarioNode
  let headers: Readonly<Record<string, string>>
  before(async () => {
    store = await openMemoryStore()
    node = await scenarioNode(randomScenario(7, 200), store)
    const { key, secret } = await issueKey(store, WALLET, node.nowMs())
    headers = { 'api-key': key, 'api-secret': secret }
  })
  after(async () => {
    await node.close()
    await store.close()
  })

  test('a node refuses values beyond a bound, and accepts any others', async () => {
    const asks = listOperations(api).flatMap((one) => listAsks(one))
    assert.ok(asks.length > 80, `${asks.length}`)
    for (const { url, isRefused } of asks) {
      const { statusCode } = await node.host.inject({ url, headers })
      assert.equal(statusCode === 400, isRefused, `${url}: ${statusCode}`)
    }
  })

  test('a node adds an ETag to cacheable answers, and to no others', async () => {
    const reads = listOperations(api).filter(({ method }) => method === 'GET')
    let kept = 0
    for (const { path, named, operation } of reads) {
      const { parameters = [], responses } = operation
      const query = parameters
        .filter(({ in: place, required }) => place === 'query' && required === true)
        .map(({ name, example }) => `${name}=${example}`)
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        String(parameters.find((one) => one.in === 'path' && one.name === name)?.example),
      )
      const url = `${filled.replace(/0xf39f\w+/, WALLET)}?${query.join('&')}`
      const { statusCode, headers: said } = await node.host.inject({ url, headers })
      if (statusCode !== 200) continue
      assert.equal(said.etag !== undefined, '304' in responses, named)
      if (said.etag === undefined) continue
      kept++
      const again = { ...headers, 'if-none-match': String(said.etag) }
      const { statusCode: unchanged } = await node.host.inject({ url, headers: again })
      assert.equal(unchanged, 304, named)
    }
    assert.ok(kept > 20, `${kept}`)
  })

  test('a node accepts a missing body where it is optional, and requires it elsewhere', async () => {
    const sending = listOperations(api).filter(({ operation }) => operation.requestBody)
    for (const { path, method, named, operation } of sending) {
      // It revokes the key that the others need.
      if (named === 'DELETE /api-key') continue
      // The order filter may be in the query or in the body, and one is required.
      const query = named === 'DELETE /orders' ? '?confirm=all' : ''
      const url = path.replace('{address}', WALLET).replace('{id}', 'none') + query
      const { statusCode } = await node.host.inject({ method, url, headers })
      assert.equal(statusCode === 400, operation.requestBody?.required, `${named}: ${statusCode}`)
    }
    const { statusCode } = await node.host.inject({ method: 'DELETE', url: '/api-key', headers })
    assert.equal(statusCode, 200)
    assert.equal(api.paths['/api-key']?.delete?.requestBody?.required, false)
  })
})
