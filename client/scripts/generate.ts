// Writes the types of the interface into client/generated, from the schemas of the server, and the
// names of ccxt's exceptions into its adapter, from the catalogue of codes: npx node
// client/scripts/generate.ts. With --check it compares without writing.
import { readFileSync, writeFileSync } from 'node:fs'
import { CATALOGUE } from '@openvenue/wire/codes/catalogue'
import { SOCKET_CHANNELS } from '@openvenue/wire/socket-channels'
import { orderNames } from '../src/signing/order-members.ts'
import { kindByName } from '../src/socket/link.ts'
import { commentText, indent, ownTypeText, type Schema, typeText } from './shape-types.ts'

const ROOT = new URL('../../', import.meta.url)
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const HEAD = (summary: string) => `// ${summary}
// Generated from the schemas of the server: npx node client/scripts/generate.ts
`

type EndpointParameter = Readonly<{
  in: string
  name: string
  required?: boolean
  description?: string
  schema: Schema
}>
type BodyContent = Readonly<Record<string, Readonly<{ schema: Schema }>>>
type EndpointOperation = Readonly<{
  summary: string
  description?: string
  parameters?: readonly EndpointParameter[]
  requestBody?: Readonly<{ required?: boolean; content: BodyContent }>
  responses: Readonly<Record<string, Readonly<{ description?: string; content?: BodyContent }>>>
}>
export type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, EndpointOperation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>> }>
}>

/** Names of shapes that are referenced by name rather than inlined. */
type KnownShapes = ReadonlySet<string>

/** Returns the generated files by name. */
export function generateTypes(document: OpenApi): Readonly<Record<string, string>> {
  const { schemas } = document.components
  const shapeNames = new Set(Object.keys(schemas))
  const shapes = Object.entries(schemas).map(([name, schema]) =>
    name === CODE ? CODES_OF_SHAPES : shapeText([name, schema], document, shapeNames),
  )
  return {
    'shapes.ts': `${HEAD('Lists the shapes of the interface.')}\n${shapes.join('\n\n')}\n`,
    'endpoints.ts': endpointsText(document, shapeNames),
    'channels.ts': channelsText(shapeNames),
    'codes.ts': codesText(document),
  }
}

function shapeText(
  [name, schema]: [string, Schema],
  document: OpenApi,
  shapes: KnownShapes,
): string {
  const comment = commentText(schema.description ?? placeOf(name, document))
  return `${comment}export type ${name} = ${ownTypeText(schema, shapes)}`
}

/** Maximum number of shapes or endpoints that the comment of a shape lists. */
const PLACES_MAX = 3

/** Describes where a shape is used: in other shapes, otherwise in endpoints. */
function placeOf(name: string, { paths, components }: OpenApi): string {
  const reference = `"#/components/schemas/${name}"`
  const isIn = (schema: object) => JSON.stringify(schema).includes(reference)
  const shapes = Object.entries(components.schemas).filter(([, schema]) => isIn(schema))
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.filter((method) => isIn(operations[method] ?? {})).map(
      (method) => `\`${method.toUpperCase()} ${path}\``,
    ),
  )
  const places = shapes.length > 0 ? shapes.map(([other]) => `{@link ${other}}`) : endpoints
  return places.length === 0 ? '' : `Part of ${places.slice(0, PLACES_MAX).join(', ')}.`
}

function endpointsText({ paths }: OpenApi, shapes: KnownShapes): string {
  const entries = Object.entries(paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method]
      return operation === undefined ? [] : [endpointText(method, path, operation, shapes)]
    }),
  )
  const body = indent(entries.join('\n'))
  return `${HEAD('Lists the endpoints with their parameters and answers.')}${importsOf(body, shapes)}
/** Endpoints by method and path, as in docs/openapi.json. */
export interface Endpoints {\n${body}\n}\n`
}

function endpointText(
  ...[method, path, operation, shapes]: [string, string, EndpointOperation, KnownShapes]
): string {
  const { parameters = [], requestBody } = operation
  const members = [
    `path: ${parametersText(parameters, 'path', shapes)}`,
    `query: ${parametersText(parameters, 'query', shapes)}`,
    `body: ${requestBody === undefined ? 'undefined' : bodyText(requestBody, shapes)}`,
    `answer: ${answerText(operation, shapes)}`,
  ]
  const comment = commentText(`${operation.summary}. ${operation.description ?? ''}`.trim())
  return `${comment}'${method.toUpperCase()} ${path}': {\n${indent(members.join('\n'))}\n}`
}

function parametersText(all: readonly EndpointParameter[], location: string, shapes: KnownShapes) {
  const chosen = all.filter((parameter) => parameter.in === location)
  if (chosen.length === 0) return 'Record<never, never>'
  const properties = chosen.map(({ name, schema, description }): [string, Schema] => [
    name,
    description === undefined ? schema : { ...schema, description },
  ])
  const required = chosen.filter((parameter) => parameter.required).map(({ name }) => name)
  return ownTypeText(
    { type: 'object', properties: Object.fromEntries(properties), required },
    shapes,
  )
}

const jsonOf = (content: BodyContent | undefined) => content?.['application/json']?.schema

function bodyText(
  { required, content }: NonNullable<EndpointOperation['requestBody']>,
  shapes: KnownShapes,
) {
  const type = typeText(jsonOf(content) ?? {}, shapes)
  return required === true ? type : `${type} | undefined`
}

function answerText({ responses }: EndpointOperation, shapes: KnownShapes): string {
  const { content } = responses['200'] ?? responses['201'] ?? {}
  const schema = jsonOf(content)
  return schema === undefined ? 'string' : typeText(schema, shapes)
}

function channelsText(shapes: KnownShapes): string {
  const entries = SOCKET_CHANNELS.map(({ name, data, description }) => {
    const pattern = name.replaceAll(/\{\w+\}/g, '$' + '{string}')
    const key = name === pattern ? name : `[name: \`${pattern}\`]`
    const kinds = Object.entries(data)
      .filter(([, schema]) => schema !== undefined)
      .map(([kind, schema]) => `${kind}: ${typeText(schema as Schema, shapes)}`)
    return `${commentText(description)}${key}: {\n${indent(kinds.join('\n'))}\n}`
  })
  const body = indent(entries.join('\n'))
  const summary = 'Lists the socket channels with the data of each kind of message.'
  return `${HEAD(summary)}${importsOf(body, shapes)}
/** Channels by the name used to subscribe. */
export interface Channels {\n${body}\n}\n`
}

/** Shape that is written into a file of its own, with a description of each value. */
const CODE = 'RefusalCode'

const CODE_COMMENT = '/** Codes of refusals. */\n'
const CODES_OF_SHAPES = `${CODE_COMMENT}export type ${CODE} = import('./codes.ts').${CODE}`

function codesText({ components }: OpenApi): string {
  const described = components.schemas[CODE]?.['x-enum-descriptions'] ?? {}
  const lines = Object.entries(described).map(([code, message]) =>
    indent(`${commentText(`${message}.`)}| '${code}'`),
  )
  return `${HEAD('Lists the codes of refusals.')}
${CODE_COMMENT}export type ${CODE} =\n${lines.join('\n')}
${kindsText()}`
}

function kindsText(): string {
  const lines = CATALOGUE.filter(({ code, kind }) => kind !== kindByName(code)).map(
    ({ code, kind }) => `  ${code}: '${kind}',`,
  )
  return `
/** Kinds of the codes whose names suggest a different kind. */
export const KINDS = {
${lines.join('\n')}
} as const
`
}

/** Returns the file that maps each code to a ccxt exception. */
function ccxtText(): string {
  const lines = CATALOGUE.map(({ code, ccxt }) => `  ${code}: '${ccxt}',`)
  return `${HEAD('Maps the codes of refusals to exceptions of ccxt.')}
export const EXCEPTIONS = {
${lines.join('\n')}
} as const
`
}

/** Returns the import of the shapes that `body` names. */
function importsOf(body: string, shapes: KnownShapes): string {
  const code = body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
  const used = [...shapes].filter((name) => new RegExp(`\\b${name}\\b(?!'|:)`).test(code)).sort()
  return used.length === 0
    ? ''
    : `import type {\n${used.map((n) => `  ${n},\n`).join('')}} from './shapes.ts'\n`
}

/** Reads the committed API description, which a test of the server compares with its schemas. */
export const committedDocument = (): OpenApi =>
  JSON.parse(readFileSync(new URL('docs/openapi.json', ROOT), 'utf8')) as OpenApi

/** Returns the text of every generated file by path. */
const generatedFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(generateTypes(committedDocument())).map(([name, text]) => [
      `client/generated/${name}`,
      text,
    ]),
  ),
  'adapters/ccxt/src/exception-names.ts': ccxtText(),
})

const README = new URL('client/README.md', ROOT)
const NAMES = /(?<=<!-- names -->\n)[\s\S]*?(?=<!-- \/names -->)/

/** Returns the README with the table of order members regenerated from the validated table. */
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
    throw new Error('client/README.md is out of date: run npx node client/scripts/generate.ts')
  for (const [name, text] of Object.entries(generatedFiles())) {
    const url = new URL(name, ROOT)
    if (!process.argv.includes('--check')) writeFileSync(url, text)
    else if (readFileSync(url, 'utf8') !== text)
      throw new Error(`${name} is out of date: run npx node client/scripts/generate.ts`)
  }
}
