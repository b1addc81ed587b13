// Installs the linters and generators of `api/clients` in the cache of the repository, and writes
// programs that call every operation of a document.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Document,
  listOperations,
  mediaOf,
  type Operation,
  type Parameter,
  successResponse,
} from './described.ts'

const SOURCE = fileURLToPath(new URL('../clients/', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/openvenue/', import.meta.url))
const HASH_DIGITS = 16

/**
 * Returns the folder of the tools. They take 130 MB that no venue needs, so the first test that
 * needs them installs them, exactly as locked; later tests need no network.
 */
export function installTools(): string {
  const hash = createHash('sha256')
  for (const name of ['package-lock.json', 'lint.mjs', 'generate.mjs'])
    hash.update(readFileSync(join(SOURCE, name)))
  const folder = join(CACHE, `clients-${hash.digest('hex').slice(0, HASH_DIGITS)}`)
  if (existsSync(folder)) return folder
  const making = `${folder}-${process.pid}`
  cpSync(SOURCE, making, { recursive: true })
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  execFileSync('npm', args, { cwd: making, stdio: ['ignore', 'ignore', 'inherit'] })
  // Atomic: a concurrent run has installed the same.
  if (existsSync(folder)) rmSync(making, { recursive: true, force: true })
  else renameSync(making, folder)
  return folder
}

/** Returns a new folder. The caller removes it. */
export function createWorkFolder(): string {
  return mkdtempSync(join(tmpdir(), 'openvenue-clients-'))
}

/**
 * Returns a program that calls each operation by path, twice: with its required parameters, and
 * with all of them. Its examples of answers have the types of the answers.
 */
export const writeFetchCalls = (document: Document): string =>
  `import createClient from "openapi-fetch"
import type { operations, paths } from "./schema.ts"
export const calls = (baseUrl: string) => {
  const client = createClient<paths>({ baseUrl })
  return {
${listOperations(document)
  .map(({ path, method, operation }) =>
    callTwice(
      operation,
      (given) => `client.${method}('${path}', ${fetchOptions(document, operation, given)})`,
    ),
  )
  .join('\n')}
  } satisfies Record<keyof operations, unknown>
}
export const answers = [
${listOperations(document)
  .map(({ operation }) => `  ${exampleText(operation)} satisfies ${answerType(operation)},`)
  .join('\n')}
]
`

const exampleText = (operation: Operation): string =>
  JSON.stringify(mediaOf(successResponse(operation))?.example)

const answerType = ({ operationId, responses }: Operation): string => {
  const status = responses[200] ? 200 : 201
  const [type] = Object.keys(responses[status]?.content ?? {})
  return `operations['${operationId}']['responses'][${status}]['content']['${type}']`
}

/** Returns a program that calls each operation by its id, in both ways. */
export const writeSdkCalls = (document: Document): string =>
  `import * as sdk from "./sdk"
export const calls = {
${listOperations(document)
  .map(({ operation }) =>
    callTwice(
      operation,
      (given) => `sdk.${operation.operationId}(${sdkOptions(document, operation, given)})`,
    ),
  )
  .join('\n')}
}
`

type ParameterSet = 'needed' | 'all'

const callTwice = ({ operationId }: Operation, call: (given: ParameterSet) => string): string =>
  `    ${operationId}: () => ({ needed: ${call('needed')}, all: ${call('all')} }),`

const isGiven =
  (given: ParameterSet) =>
  ({ required = false }: Readonly<{ required?: boolean }>) =>
    given === 'all' || required

function fetchOptions(document: Document, operation: Operation, given: ParameterSet): string {
  const params = sampleParameters(document, operation, given)
  const isBare = Object.keys(params).length === 0
  return JSON.stringify({ ...(isBare ? {} : { params }), ...body(operation, given) })
}

function sdkOptions(document: Document, operation: Operation, given: ParameterSet): string {
  const options = { ...sampleParameters(document, operation, given), ...body(operation, given) }
  return Object.keys(options).length === 0 ? '' : JSON.stringify(options)
}

/** Returns values of the parameters, by their location. */
function sampleParameters(document: Document, { parameters = [] }: Operation, given: ParameterSet) {
  const own = Map.groupBy(parameters.filter(isGiven(given)), (one) => one.in)
  return Object.fromEntries(
    [...own].map(([place, some]) => [
      place,
      Object.fromEntries(some.map((one) => [one.name, sample(document, one)])),
    ]),
  )
}

/** A choice gets any of its words, and a parameter with an example gets that. */
function sample({ components }: Document, { schema, example }: Parameter): unknown {
  if (example !== undefined) return example
  const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : ''
  const { enum: words, type } = (components.schemas[name] ?? schema) as Choice
  if (words !== undefined) return words[0]
  return type === 'integer' ? 1 : 'ETH'
}

type Choice = Readonly<{ enum?: readonly string[]; type?: string }>

function body({ requestBody }: Operation, given: ParameterSet) {
  if (requestBody === undefined || !isGiven(given)(requestBody)) return {}
  return { body: requestBody.content['application/json']?.example }
}
