import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadEndpointTools } from '../src/endpoint-tool.ts'
import { committedDocument, generateTools, type OpenApi } from './generate.ts'
import { CANCELS, isAlias, LEFT_OUT } from './selection.ts'

const document = committedDocument()
const tools = generateTools(document)

describe('the generated tools', () => {
  test('are those that are committed', () => {
    const hint = 'npx node adapters/mcp/scripts/generate.ts writes them anew'
    assert.deepEqual(loadEndpointTools(), tools, hint)
  })

  test('are every GET of the document, unless it is left out for a reason', () => {
    const wanted = Object.entries(document.paths)
      .filter(([path, { get }]) => get !== undefined && !isAlias(path))
      .map(([path]) => `GET ${path}`)
      .filter((endpoint) => !(idOf(endpoint) in LEFT_OUT))
    const reading = tools.filter(({ level }) => level !== 'cancel')
    assert.deepEqual(reading.map(({ endpoint }) => endpoint).sort(), wanted.sort())
    assert.ok(reading.length > 40)
  })

  test('change nothing, but for those that take orders away', () => {
    const changing = tools.filter(({ endpoint }) => !endpoint.startsWith('GET '))
    assert.deepEqual(changing.map(({ name }) => name).sort(), Object.values(CANCELS).sort())
    assert.ok(changing.every(({ level }) => level === 'cancel'))
  })

  test('take a key where the document says so', () => {
    for (const { level, endpoint } of tools) {
      const isPublic = operationOf(endpoint).security?.length === 0
      assert.equal(level === 'market', isPublic, endpoint)
    }
  })

  test('take no other members than they declare, and leave no reference open', () => {
    for (const { name, inputSchema, places } of tools) {
      assert.equal(inputSchema.additionalProperties, false, name)
      assert.deepEqual(Object.keys(inputSchema.properties ?? {}), Object.keys(places), name)
    }
    assert.doesNotMatch(JSON.stringify(tools), /\$ref|anyOf/)
  })

  test('cannot be led to another endpoint by a path of dots', () => {
    const pathInputs = tools.flatMap(({ inputSchema, places }) =>
      Object.entries(inputSchema.properties as Record<string, { pattern: string }>).filter(
        ([name]) => places[name] === 'path',
      ),
    )
    assert.ok(pathInputs.length > 2)
    for (const [name, { pattern }] of pathInputs)
      for (const dots of ['.', '..']) assert.doesNotMatch(dots, new RegExp(pattern), name)
  })

  test('are refused where the document has lost what they name', () => {
    assert.throws(() => generateTools({ ...document, paths: {} }), /no operation getHealth/)
  })
})

function operationOf(endpoint: string) {
  const [method = '', path = ''] = endpoint.split(' ')
  const found = (document as OpenApi).paths[path]?.[method.toLowerCase()]
  assert.ok(found, endpoint)
  return found
}

const idOf = (endpoint: string) => operationOf(endpoint).operationId
