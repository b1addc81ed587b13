// Adds examples to a document, so that its page can be tried.
import { readFileSync } from 'node:fs'
import type { Components, Operation } from './openapi-operation.ts'

/** Parameters to fill in where an endpoint answers nothing without them. */
const PARAMETERS: Readonly<Record<string, string | number>> = {
  instrument_id: 'ETH-PERP',
  instrument_name: 'ETH-PERP',
  asset: 'ETH',
  instrument_type: 'PERPETUAL',
  symbol: 'ETH-PERP',
  symbols: 'ETH-PERP,ETH-USDC',
  resolution: '60',
  start_time: 1_795_161_600,
  address: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  canceller: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
  id: 'key-created-1474f819ea39caab',
  poolId: 'ETH-USDC',
  file: 'perps.json',
  prefix: '5d1f0c2a',
  client_order_id: 'quote-17',
  order_id: '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e00000000100000000000003e9',
}

type DescribedPaths = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Pick<Components, 'schemas'>
}>

/**
 * Adds examples to the document, and puts path parameters before those of the query. Examples of a
 * GET are named by its path; those of other methods by method and path, such as `POST /register`,
 * with the prefix `body ` for the request.
 */
export function exemplify({ paths, components }: DescribedPaths, file: URL): void {
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  for (const [name, schema] of Object.entries(components.schemas))
    if (name in examples) components.schemas[name] = { ...schema, examples: [examples[name]] }
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations)) {
      const name = method === 'get' ? path : `${method.toUpperCase()} ${path}`
      exemplifyOne(operation, {
        answer: examples[plainName(name)],
        sent: examples[`body ${plainName(name)}`],
      })
    }
}

/** Returns the plain path of an account's endpoint, whose two paths share examples. */
function plainName(name: string): string {
  const [, method = '', below] = /^(\w+ |)\/account\/\{address\}(.*)$/.exec(name) ?? []
  if (below === undefined) return name
  return method + (PARTS_OF_ACCOUNT.includes(below) ? `/account${below}` : below)
}
const PARTS_OF_ACCOUNT = [
  '',
  '/collaterals',
  '/leverages',
  '/accumulated-fundings',
  '/cancellers',
  '/cancel-on-disconnect',
  '/stats',
  '/trades/csv',
  '/transactions/csv',
]

type OperationExamples = Readonly<{ answer: unknown; sent: unknown }>

function exemplifyOne(operation: Operation, { answer, sent }: OperationExamples): void {
  const { parameters = [], requestBody, responses } = operation
  parameters.sort((a, b) => Number(b.in === 'path') - Number(a.in === 'path'))
  for (const parameter of parameters)
    if (parameter.required === true && parameter.name in PARAMETERS)
      parameter.example = PARAMETERS[parameter.name]
  const [media] = Object.values((responses[200] ?? responses[201])?.content ?? {})
  if (media !== undefined) media.example = answer
  const body = requestBody?.content['application/json']
  if (body !== undefined) body.example = sent
}
