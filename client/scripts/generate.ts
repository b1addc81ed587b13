// Writes the types of the interface into client/generated, from the schemas that the server has:
// npx node client/scripts/generate.ts, with --check to compare only.
import { readFileSync, writeFileSync } from 'node:fs'
import { SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { orderNames } from '../src/signing/order-members.ts'
import { commentText, indent, ownTypeText, type Schema, typeText } from './shape-types.ts'

const ROOT = new URL('../../', import.meta.url)
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const HEAD = (what: string) => `// ${what}
// Generated from the schemas of the server: npx node client/scripts/generate.ts
`

type Parameter = Readonly<{
  in: string
  name: string
  required?: boolean
  description?: string
  schema: Schema
}>
type Content = Readonly<Record<string, Readonly<{ schema: Schema }>>>
type Operation = Readonly<{
  summary: string
  description?: string
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ required?: boolean; content: Content }>
  responses: Readonly<Record<string, Readonly<{ description?: string; content?: Content }>>>
}>
export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
}>

/** Names of shapes that stand for themselves. */
type Known = ReadonlySet<string>

/** Returns the generated files by name. */
export function generateTypes(document: OpenApi): Readonly<Record<string, string>> {
  const { schemas } = document.components
  const known = new Set(Object.keys(schemas))
  const shapes = Object.entries(schemas).map(([name, schema]) =>
    name === CODE ? CODES_OF_SHAPES : shapeText([name, schema], document, known),
  )
  return {
    'shapes.ts': `${HEAD('Lists the shapes of the interface.')}\n${shapes.join('\n\n')}\n`,
    'endpoints.ts': endpointsText(document, known),
    'channels.ts': channelsText(known),
    'codes.ts': codesText(document),
  }
}

function shapeText([name, schema]: [string, Schema], document: OpenApi, known: Known): string {
  const comment = commentText(schema.description ?? placeOf(name, document))
  return `${comment}export type ${name} = ${ownTypeText(schema, known)}`
}

/** How many shapes or endpoints are named as places of a shape. */
const PLACES_MAX = 3

/** Says where a shape occurs: in other shapes, or else in endpoints. */
function placeOf(name: string, { paths, components }: OpenApi): string {
  const reference = `"#/components/schemas/${name}"`
  const isIn = (one: object) => JSON.stringify(one).includes(reference)
  const shapes = Object.entries(components.schemas).filter(([, schema]) => isIn(schema))
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => isIn(operations[method] ?? {})).map(
      (method) => `\`${method.toUpperCase()} ${path}\``,
    ),
  )
  const places = shapes.length > 0 ? shapes.map(([other]) => `{@link ${other}}`) : endpoints
  return places.length === 0 ? '' : `Part of ${places.slice(0, PLACES_MAX).join(', ')}.`
}

function endpointsText({ paths }: OpenApi, known: Known): string {
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method]
      return operation === undefined ? [] : [endpointText(method, path, operation, known)]
    }),
  )
  const body = indent(entries.join('\n'))
  return `${HEAD('Lists the endpoints with what each takes and answers.')}${importsOf(body, known)}
/** By method and path, as the description of the interface has them. */
export interface Endpoints {\n${body}\n}\n`
}

function endpointText(...[method, path, operation, known]: EndpointParts): string {
  const { parameters = [], requestBody } = operation
  const members = [
    `path: ${parametersText(parameters, 'path', known)}`,
    `query: ${parametersText(parameters, 'query', known)}`,
    `body: ${requestBody === undefined ? 'undefined' : bodyText(requestBody, known)}`,
    `answer: ${answerText(operation, known)}`,
  ]
  const comment = commentText(`${operation.summary}. ${operation.description ?? ''}`.trim())
  return `${comment}'${method.toUpperCase()} ${path}': {\n${indent(members.join('\n'))}\n}`
}
type EndpointParts = [string, string, Operation, Known]

function parametersText(all: readonly Parameter[], place: string, known: Known) {
  const chosen = all.filter((parameter) => parameter.in === place)
  if (chosen.length === 0) return 'Record<never, never>'
  const properties = chosen.map(({ name, schema, description }): [string, Schema] => [
    name,
    description === undefined ? schema : { ...schema, description },
  ])
  const required = chosen.filter((parameter) => parameter.required).map(({ name }) => name)
  return ownTypeText(
    { type: 'object', properties: Object.fromEntries(properties), required },
    known,
  )
}

const jsonOf = (content: Content | undefined) => content?.['application/json']?.schema

function bodyText({ required, content }: NonNullable<Operation['requestBody']>, known: Known) {
  const type = typeText(jsonOf(content) ?? {}, known)
  return required === true ? type : `${type} | undefined`
}

function answerText({ responses }: Operation, known: Known): string {
  const { content } = responses['200'] ?? responses['201'] ?? {}
  const schema = jsonOf(content)
  return schema === undefined ? 'string' : typeText(schema, known)
}

function channelsText(known: Known): string {
  const entries = SOCKET_CHANNELS.map(({ name, data, description }) => {
    const pattern = name.replaceAll(/\{\w+\}/g, '$' + '{string}')
    const key = name === pattern ? name : `[name: \`${pattern}\`]`
    const kinds = Object.entries(data)
      .filter(([, schema]) => schema !== undefined)
      .map(([kind, schema]) => `${kind}: ${typeText(schema as Schema, known)}`)
    return `${commentText(description)}${key}: {\n${indent(kinds.join('\n'))}\n}`
  })
  const body = indent(entries.join('\n'))
  const what = 'Lists the channels of the sockets with the data of each kind of message.'
  return `${HEAD(what)}${importsOf(body, known)}
/** By the name that is subscribed to. */
export interface Channels {\n${body}\n}\n`
}

/** The shape that is written into a file of its own, with what each of its values means. */
const CODE = 'RefusalCode'

const CODE_COMMENT = '/** Codes that a refusal has. */\n'
const CODES_OF_SHAPES = `${CODE_COMMENT}export type ${CODE} = import('./codes.ts').${CODE}`

function codesText({ components }: OpenApi): string {
  const described = components.schemas[CODE]?.['x-enum-descriptions'] ?? {}
  const lines = Object.entries(described).map(([code, message]) =>
    indent(`${commentText(`${message}.`)}| '${code}'`),
  )
  return `${HEAD('Lists the codes of refusals.')}
${CODE_COMMENT}export type ${CODE} =\n${lines.join('\n')}\n`
}

/** Returns the import of the shapes that `body` names. */
function importsOf(body: string, known: Known): string {
  const code = body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
  const used = [...known].filter((name) => new RegExp(`\\b${name}\\b(?!'|:)`).test(code)).sort()
  return used.length === 0
    ? ''
    : `import type {\n${used.map((n) => `  ${n},\n`).join('')}} from './shapes.ts'\n`
}

/** Returns the document that is committed, which a test of the server keeps to its schemas. */
export const committedDocument = (): OpenApi =>
  JSON.parse(readFileSync(new URL('docs/openapi.json', ROOT), 'utf8')) as OpenApi

const README = new URL('client/README.md', ROOT)
const NAMES = /(?<=<!-- names -->\n)[\s\S]*?(?=<!-- \/names -->)/

/** Returns the README with the names of an order's members, from the table that checks them. */
export function withNames(readme: string): string {
  const rows = orderNames().map(({ library, rest, mcp }) => {
    const quoted = (name: string | undefined) => {
      if (name === undefined) return ''
      return name === 'trigger' ? '`stop`, `trigger`' : `\`${name}\``
    }
    return `| \`${library}\` | ${quoted(rest)} | ${quoted(mcp)} |`
  })
  const table = ['| library | API | MCP server |', '| --- | --- | --- |', ...rows, '']
  return readme.replace(NAMES, () => table.join('\n'))
}

if (import.meta.main) {
  const readme = readFileSync(README, 'utf8')
  if (!process.argv.includes('--check')) writeFileSync(README, withNames(readme))
  else if (withNames(readme) !== readme)
    throw new Error('client/README.md has old names: npx node client/scripts/generate.ts')
  for (const [name, text] of Object.entries(generateTypes(committedDocument()))) {
    const url = new URL(`client/generated/${name}`, ROOT)
    if (!process.argv.includes('--check')) writeFileSync(url, text)
    else if (readFileSync(url, 'utf8') !== text)
      throw new Error(`client/generated/${name} is old: npx node client/scripts/generate.ts`)
  }
}
