// Reads an OpenAPI document for tests: every operation, and the schema of each answer.
import { Compile } from 'typebox/schema'

export type Parameter = Readonly<{
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Readonly<Record<string, unknown>>
}>
type Content = Readonly<{ schema: object; example?: unknown }>
type Response = Readonly<{
  $ref?: string
  description?: string
  headers?: Readonly<Record<string, unknown>>
  content?: Readonly<Record<string, Content>>
}>
export type Operation = Readonly<{
  operationId: string
  summary?: string
  description?: string
  tags?: readonly string[]
  parameters?: readonly Parameter[]
  requestBody?: Readonly<{ required: boolean; content: Readonly<Record<string, Content>> }>
  security?: readonly object[]
  responses: Readonly<Record<string, Response>>
}>
export type Document = Readonly<{
  openapi: string
  info: Readonly<{ title: string }>
  servers: readonly Readonly<{ url: string }>[]
  tags: readonly { name: string }[]
  components: Readonly<{
    schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    responses: Readonly<Record<string, Response>>
    securitySchemes: Readonly<Record<string, Readonly<{ in: string; name: string }>>>
  }>
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}>

export type DescribedRoute = Readonly<{
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `GET /markets`. */
  named: string
  operation: Operation
}>

/** Returns every operation of a document. */
export const listOperations = ({ paths }: Document): readonly DescribedRoute[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as DescribedRoute['method'],
      named: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )

/** The answer of a successful operation. */
export const successResponse = ({ responses }: Operation) => responses[200] ?? responses[201]

/** Returns the answer of a status, wherever the document holds it. */
export function findResponse(
  { components }: Document,
  { responses }: Operation,
  status: number | string,
): Response | undefined {
  const { $ref, ...own } = responses[status] ?? {}
  if ($ref !== undefined) return components.responses[$ref.split('/').at(-1) ?? '']
  return responses[status] === undefined ? undefined : own
}

/** Returns the schema of the answer of a status. */
export const findSchema = (
  document: Document,
  operation: Operation,
  status: number | string,
): object | undefined => mediaOf(findResponse(document, operation, status))?.schema

/** Returns the content of an answer: JSON, or a table. */
export const mediaOf = (response: Response | undefined): Content | undefined =>
  Object.values(response?.content ?? {})[0]

const compiled = new WeakMap<object, { Check: (value: unknown) => boolean }>()

/** Returns whether `value` satisfies a schema of the document. */
export function satisfies({ components }: Document, schema: object, value: unknown): boolean {
  // References are resolved from the root of the compiled schema.
  const known = compiled.get(schema) ?? Compile({ ...schema, components })
  compiled.set(schema, known)
  return known.Check(value)
}
