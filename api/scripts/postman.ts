// Writes docs/postman.json, a Postman collection (v2.1) of docs/openapi.json: node
// api/scripts/postman.ts, with --check to compare only. Bruno and Insomnia read it as well.
import { readFileSync, writeFileSync } from 'node:fs'
import { POSTMAN_FILE } from '../src/rest/program-documents.ts'
import { linesOfJson, OPENAPI_FILE } from './openapi-document.ts'

/** One line per request: below the document, the list of folders and a folder. */
const LEVELS = 3
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

type PostmanParameter = Readonly<{
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Readonly<{ default?: unknown; enum?: readonly unknown[] }>
}>
type PostmanOperation = Readonly<{
  tags?: readonly string[]
  summary?: string
  description?: string
  security?: readonly object[]
  parameters?: readonly PostmanParameter[]
  requestBody?: Readonly<{ content: Readonly<Record<string, Readonly<{ example?: unknown }>>> }>
}>
type OpenApiDocument = Readonly<{
  info: Readonly<{ title: string; description?: string }>
  tags?: readonly Readonly<{ name: string; description?: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, PostmanOperation>>>>
}>

/** A name with its value; query parameters may be disabled. */
export type PostmanPair = Readonly<{
  key: string
  value: string
  description?: string
  disabled?: boolean
  type?: string
}>
export type PostmanItem = Readonly<{
  name: string
  request: Readonly<{
    method: string
    description: string
    header: readonly PostmanPair[]
    url: Readonly<{
      raw: string
      host: readonly string[]
      path: readonly string[]
      query?: readonly PostmanPair[]
      variable?: readonly PostmanPair[]
    }>
    body?: Readonly<{ mode: 'raw'; raw: string; options: object }>
  }>
  response: readonly []
}>
export type PostmanCollection = Readonly<{
  info: Readonly<{ name: string; description: string; schema: string }>
  variable: readonly PostmanPair[]
  item: readonly Readonly<{ name: string; description: string; item: readonly PostmanItem[] }>[]
}>

/** Values that users of the collection set. */
const VARIABLES: readonly PostmanPair[] = [
  { key: 'baseUrl', value: 'http://127.0.0.1:3000', description: 'Where the venue answers.' },
  {
    key: 'apiKey',
    value: '',
    description: 'API key of POST /register. Keep it in an environment.',
  },
  { key: 'apiSecret', value: '', description: 'Secret of that key. Keep it in an environment.' },
  {
    key: 'account',
    value: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    description: 'The account of the key.',
  },
].map((variable) => ({ ...variable, type: 'string' }))

const KEY_HEADERS: readonly PostmanPair[] = [
  { key: 'API-KEY', value: '{{apiKey}}' },
  { key: 'API-SECRET', value: '{{apiSecret}}' },
]
const JSON_HEADER: PostmanPair = { key: 'Content-Type', value: 'application/json' }

/** Returns the collection of an OpenAPI document: a folder for each tag. */
function postmanCollection({ info, tags = [], paths }: OpenApiDocument): PostmanCollection {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0],
      item: requestItem(method.toUpperCase(), path, operation),
    })),
  )
  return {
    info: { name: info.title, description: (info.description ?? '').trim(), schema: SCHEMA },
    variable: VARIABLES,
    item: tags.map(({ name, description = '' }) => ({
      name,
      description,
      item: all.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  }
}

function requestItem(method: string, path: string, operation: PostmanOperation): PostmanItem {
  const { summary = '', description = '', security = [], requestBody } = operation
  const example = requestBody?.content['application/json']?.example
  const isPrivate = security.length > 0
  return {
    name: `${method} ${path}`,
    request: {
      method,
      description: `${summary}. ${description}`,
      header: [
        ...(isPrivate ? KEY_HEADERS : []),
        ...(requestBody === undefined ? [] : [JSON_HEADER]),
      ],
      url: requestUrl(path, operation.parameters ?? []),
      ...(requestBody === undefined
        ? {}
        : {
            body: {
              mode: 'raw',
              raw: JSON.stringify(example ?? {}, null, 2),
              options: { raw: { language: 'json' } },
            },
          }),
    },
    response: [],
  }
}

function requestUrl(path: string, parameters: readonly PostmanParameter[]) {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const query = parameters.filter((one) => one.in === 'query').map(queryPair)
  const variable = parameters.filter((one) => one.in === 'path').map(pair)
  const sent = query.filter(({ disabled }) => disabled !== true)
  const search = sent.map(({ key, value }) => `${key}=${value}`).join('&')
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length === 0 ? {} : { query }),
    ...(variable.length === 0 ? {} : { variable }),
  }
}

/** Optional parameters are listed but disabled. */
const queryPair = (parameter: PostmanParameter): PostmanPair => ({
  ...pair(parameter),
  ...(parameter.required === true ? {} : { disabled: true }),
})

function pair({ name, description = '', example, schema }: PostmanParameter): PostmanPair {
  const value = example ?? schema.default ?? schema.enum?.[0] ?? ''
  return { key: name, value: name === 'address' ? '{{account}}' : String(value), description }
}

/** Returns the collection of the committed document as the file has it. */
export const postmanText = (): string =>
  `${linesOfJson(postmanCollection(JSON.parse(readFileSync(OPENAPI_FILE, 'utf8'))), LEVELS)}\n`

if (import.meta.main) {
  const text = postmanText()
  if (!process.argv.includes('--check')) writeFileSync(POSTMAN_FILE, text)
  else if (readFileSync(POSTMAN_FILE, 'utf8') !== text)
    throw new Error('docs/postman.json is old: npx node api/scripts/postman.ts')
}
