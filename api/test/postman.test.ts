// The Postman collection: structure, completeness, and working requests.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { OPENAPI_FILE } from '../scripts/openapi-document.ts'
import {
  type PostmanCollection,
  type PostmanItem,
  type PostmanPair,
  postmanText,
} from '../scripts/postman.ts'
import { SecretSeal } from '../src/identity/secret-seal.ts'
import { POSTMAN_FILE } from '../src/rest/program-documents.ts'
import { type Document, findResponse, listOperations } from './described.ts'
import { funded } from './funded.ts'
import { type KeyNode, keyNode } from './key-node.ts'
import { issueKey } from './keyed.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

const text = readFileSync(POSTMAN_FILE, 'utf8')
const collection = JSON.parse(text) as PostmanCollection
const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as Document
const operations = listOperations(document)
const items = collection.item.flatMap(({ item }) => item)
/** Time of the examples, after which their keys still live. */
const EXAMPLES_MS = 1_795_161_600_000
const LIFE_MS = 40 * 24 * 3600 * 1000
const WALLET = `0x${'a1'.repeat(20)}`

describe('the Postman collection', () => {
  test('the Postman collection is fresh (node api/scripts/postman.ts), and of version 2.1', () => {
    assert.ok(text === postmanText(), 'docs/postman.json is old')
    assert.match(collection.info.schema, /\/v2\.1\.0\/collection\.json$/)
    assert.ok(collection.info.name !== '')
  })

  test('the Postman collection has every operation once, in the folder of its tag', () => {
    assert.deepEqual(
      collection.item.map(({ name }) => name),
      document.tags.map(({ name }) => name),
    )
    const placed = collection.item.flatMap(({ name, item }) =>
      item.map((one) => `${name}: ${one.name}`),
    )
    const wanted = operations.map(({ named, operation }) => `${operation.tags?.[0]}: ${named}`)
    assert.deepEqual(placed.sort(), wanted.sort())
  })

  test('the Postman collection uses no variable that it does not define, and each that it defines', () => {
    const defined = collection.variable.map(({ key }) => key)
    const used = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)]
    assert.deepEqual([...new Set(used.map(([, name = '']) => name))].sort(), defined.sort())
  })

  test('the Postman collection writes each URL twice alike, with a value for each part and what is needed sent', () => {
    for (const { name, request } of items) {
      const { raw, host, path, query = [], variable = [] } = request.url
      const sent = query.filter(({ disabled }) => disabled !== true)
      const search = sent.map(({ key, value }) => `${key}=${value}`).join('&')
      assert.equal(raw, `${host}/${path.join('/')}${search === '' ? '' : `?${search}`}`)
      assert.deepEqual(
        path.filter((part) => part.startsWith(':')).map((part) => part.slice(1)),
        variable.map(({ key }) => key),
      )
      for (const { key, value } of [...variable, ...sent]) assert.ok(value !== '', `${name} ${key}`)
    }
  })

  test('the Postman collection holds no secret, and sends keys only where they are needed', () => {
    for (const { key, value } of collection.variable) if (/^api/.test(key)) assert.equal(value, '')
    for (const { named, operation } of operations) {
      const { header } = itemOf(named).request
      const isPrivate = (operation.security ?? []).length > 0
      assert.equal(header.filter(({ key }) => /^API-/.test(key)).length, isPrivate ? 2 : 0, named)
    }
  })

  test('the Postman collection has the example of each body, as JSON', () => {
    for (const { named, operation } of operations) {
      const { body } = itemOf(named).request
      const example = operation.requestBody?.content['application/json']?.example
      assert.deepEqual(body && JSON.parse(body.raw), example, named)
    }
  })
})

function itemOf(name: string): PostmanItem {
  const found = items.find((item) => item.name === name)
  if (found === undefined) throw new Error(`${name} is not in the collection`)
  return found
}

/** Returns a request as Postman sends it, below the base URL. */
function sentBy({ request }: PostmanItem, own: Readonly<Record<string, string>> = {}) {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  const filled = (words: string) =>
    words.replaceAll(/\{\{(\w+)\}\}/g, (_all, key: string) => own[key] ?? variables.get(key) ?? '')
  const { path, query = [], variable = [] } = request.url
  const values = new Map(variable.map(({ key, value }) => [`:${key}`, filled(value)]))
  const search = query
    .filter(({ disabled }) => disabled !== true)
    .map(({ key, value }: PostmanPair) => `${key}=${encodeURIComponent(filled(value))}`)
    .join('&')
  return {
    method: request.method as 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: `/${path.map((part) => values.get(part) ?? part).join('/')}${search && `?${search}`}`,
    headers: Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)])),
    ...(request.body === undefined ? {} : { payload: request.body.raw }),
  }
}

describe('requests of the collection', () => {
  let node: ScenarioNode
  let keys: KeyNode
  before(async () => {
    node = await scenarioNode(funded('ETH-USDC', 'ETH-PERP').blocks())
    keys = await keyNode({ settings: { secretSeal: new SecretSeal(randomBytes(32)) } })
  })
  after(() => Promise.all([node.close(), keys.close()]))

  test('requests of the collection are answered by the venue, public ones with data', async () => {
    const answered = { done: 0, refused: 0 }
    for (const { named, operation } of operations) {
      const { statusCode } = await node.host.inject(sentBy(itemOf(named)))
      assert.ok(findResponse(document, operation, statusCode), `${named}: ${statusCode}`)
      if ((operation.security ?? []).length > 0) assert.equal(statusCode, 401, named)
      answered[statusCode === 200 ? 'done' : 'refused'] += 1
    }
    assert.ok(answered.done >= 30, JSON.stringify(answered))
  })

  test('requests of the collection act for the account whose key the variables have', async () => {
    keys.setNowMs(EXAMPLES_MS)
    const { key, secret } = await issueKey(keys.store, WALLET, EXAMPLES_MS, LIFE_MS)
    const own = { apiKey: key, apiSecret: secret, account: WALLET }
    const made = await keys.host.inject(sentBy(itemOf('POST /api-keys'), own))
    const { body } = itemOf('POST /api-keys').request
    assert.equal(made.statusCode, 201, made.body)
    const listed = await keys.host.inject(sentBy(itemOf('GET /api-keys'), own))
    const names = listed.json().api_keys.map(({ name }: { name: string }) => name)
    assert.ok(names.includes(JSON.parse(body?.raw ?? '{}').name), names.join())
  })

  test('requests of the collection come with the collection that the venue serves', async () => {
    const { statusCode, body, headers } = await node.host.inject('/postman.json')
    assert.deepEqual([statusCode, headers['cache-control']], [200, 'public, max-age=900'])
    assert.equal(body, `${JSON.stringify(collection, null, 1)}\n`)
  })
})
