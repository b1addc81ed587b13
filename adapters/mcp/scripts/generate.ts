// Generates generated/tools.json, the tools for endpoints, from the API description: npx node
// adapters/mcp/scripts/generate.ts; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import type { AccessLevel, EndpointTool, ParameterLocation } from '../src/endpoint-tool.ts'
import { inputSchema, type JsonSchema, type ToolParameter } from './input-schema.ts'
import { CANCELS, isAlias, LEFT_OUT } from './selection.ts'

const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url)
const TARGET = new URL('../generated/tools.json', import.meta.url)

type ToolOperation = Readonly<{
  operationId: string
  summary: string
  description?: string
  security?: readonly unknown[]
  parameters?: readonly ToolParameter[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ schema: JsonSchema }>>> }>
  responses: Readonly<Record<string, Readonly<{ description?: string }>>>
}>
export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, ToolOperation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, JsonSchema>> }>
}>

/** Returns a tool for every selected endpoint, in the order of the document. */
export function generateTools(document: OpenApi): EndpointTool[] {
  const selected = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  refuseUnknown(selected.map(({ operation }) => operation.operationId))
  return selected.flatMap(({ path, method, operation }) => {
    const level = findLevel(path, method, operation)
    return level === undefined ? [] : [toolOf(document, { path, method, operation, level })]
  })
}

/** A selected name that the document lacks is an error: the operation may have been renamed. */
function refuseUnknown(ids: readonly string[]): void {
  const named = [...Object.keys(LEFT_OUT), ...Object.keys(CANCELS)]
  const unknown = named.filter((id) => !ids.includes(id))
  if (unknown.length > 0) throw new Error(`the document has no operation ${unknown.join(', ')}`)
}

/** Returns the level of an endpoint; undefined if it is not a tool. */
function findLevel(
  path: string,
  method: string,
  operation: ToolOperation,
): AccessLevel | undefined {
  if (operation.operationId in CANCELS) return 'cancel'
  if (method !== 'get' || operation.operationId in LEFT_OUT || isAlias(path)) return undefined
  return (operation.security ?? []).length === 0 ? 'market' : 'account'
}

type EndpointOperation = Readonly<{
  path: string
  method: string
  operation: ToolOperation
  level: AccessLevel
}>

function toolOf(
  { components }: OpenApi,
  { path, method, operation, level }: EndpointOperation,
): EndpointTool {
  const { operationId, summary, parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json']?.schema
  const { schema, places } = inputSchema(parameters, body, components.schemas)
  return {
    name: CANCELS[operationId] ?? asToolName(operationId),
    level,
    endpoint: `${method.toUpperCase()} ${path}`,
    title: summary,
    description: describe(operation),
    places: places as Readonly<Record<string, ParameterLocation>>,
    inputSchema: schema,
  }
}

/** Converts `getMarketsByInstrumentId` to `get_markets_by_instrument_id`. */
const asToolName = (id: string) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function describe({ summary, description = '', responses }: ToolOperation): string {
  const rules = description.replace(/^Public\.\s*/, '').replaceAll('\n', ' ')
  const { description: answer = '' } = responses['200'] ?? {}
  return [sentence(summary), rules, answer === '' ? '' : `Answers: ${sentence(answer)}`]
    .filter((part) => part !== '')
    .join(' ')
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Reads the committed API description, which a test of the server compares with its schemas. */
export const committedDocument = (): OpenApi =>
  JSON.parse(readFileSync(DOCUMENT, 'utf8')) as OpenApi

if (import.meta.main) {
  const text = `${JSON.stringify(generateTools(committedDocument()), undefined, 1)}\n`
  if (!process.argv.includes('--check')) writeFileSync(TARGET, text)
  else if (readFileSync(TARGET, 'utf8') !== text)
    throw new Error(
      'generated/tools.json is out of date: run npx node adapters/mcp/scripts/generate.ts',
    )
}
