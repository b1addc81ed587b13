import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadEndpointTools } from '../src/endpoint-tool.ts'
import { committedDocument, generateTools, type OpenApi } from './generate.ts'
import { CANCELS, isAlias, LEFT_OUT } from './selection.ts'

const document = committedDocument()
const tools = generateTools(document)

describe('the generated tools', () => {
  test('the committed MCP tools are up to date', () => {
    const hint = 'run npx node adapters/mcp/scripts/generate.ts'
    assert.deepEqual(loadEndpointTools(), tools, hint)
  })

  test('every GET of the OpenAPI document is an MCP tool unless excluded with a reason', () => {
    const expected = Object.entries(document.paths)
      .filter(([path, { get }]) => get !== undefined && !isAlias(path))
      .map(([path]) => `GET ${path}`)
      .filter((endpoint) => !(idOf(endpoint) in LEFT_OUT))
    const reading = tools.filter(({ level }) => level !== 'cancel')
    assert.deepEqual(reading.map(({ endpoint }) => endpoint).sort(), expected.sort())
    assert.ok(reading.length > 40)
  })

  test('the only generated MCP tools that change something are cancels', () => {
    const changing = tools.filter(({ endpoint }) => !endpoint.startsWith('GET '))
    assert.deepEqual(changing.map(({ name }) => name).sort(), Object.values(CANCELS).sort())
    assert.ok(changing.every(({ level }) => level === 'cancel'))
  })

  test('an MCP tool needs a key exactly if its endpoint does', () => {
    for (const { level, endpoint } of tools) {
      const isPublic = operationOf(endpoint).security?.length === 0
      assert.equal(level === 'market', isPublic, endpoint)
    }
  })

  test('MCP tools accept only declared members and have no unresolved references', () => {
    for (const { name, inputSchema, places } of tools) {
      assert.equal(inputSchema.additionalProperties, false, name)
      assert.deepEqual(Object.keys(inputSchema.properties ?? {}), Object.keys(places), name)
    }
    assert.doesNotMatch(JSON.stringify(tools), /\$ref|anyOf/)
  })

  test('path inputs of dots cannot reach another endpoint', () => {
    const pathInputs = tools.flatMap(({ inputSchema, places }) =>
      Object.entries(inputSchema.properties as Record<string, { pattern: string }>).filter(
        ([name]) => places[name] === 'path',
      ),
    )
    assert.ok(pathInputs.length > 2)
    for (const [name, { pattern }] of pathInputs)
      for (const dots of ['.', '..']) assert.doesNotMatch(dots, new RegExp(pattern), name)
  })

  test('generating MCP tools fails if the OpenAPI document lacks a selected operation', () => {
    assert.throws(() => generateTools({ ...document, paths: {} }), /no operation getHealth/)
  })
})

function operationOf(endpoint: string) {
  const [method = '', path = ''] = endpoint.split(' ')
  const operation = (document as OpenApi).paths[path]?.[method.toLowerCase()]
  assert.ok(operation, endpoint)
  return operation
}

const idOf = (endpoint: string) => operationOf(endpoint).operationId
