// Checks the references of the Arazzo document; e2e runs it against a venue.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { OPENAPI_FILE } from '../scripts/openapi-document.ts'
import { ARAZZO_FILE } from '../src/rest/program-documents.ts'
import { type Document, listOperations, type Operation } from './described.ts'
import { funded } from './funded.ts'
import { type ScenarioNode, scenarioNode } from './scenario-node.ts'

type WorkflowParameter = Readonly<{ name: string; in?: string; value: unknown }>
type Outputs = Readonly<Record<string, string>>
type Step = Readonly<{
  stepId: string
  operationId?: string
  workflowId?: string
  parameters?: readonly WorkflowParameter[]
  requestBody?: object
  outputs?: Outputs
}>
type Workflow = Readonly<{
  workflowId: string
  inputs: Readonly<{ required: readonly string[]; properties: object }>
  steps: readonly Step[]
  outputs: Outputs
}>
type Arazzo = Readonly<{
  arazzo: string
  sourceDescriptions: readonly Readonly<{ url: string; type: string }>[]
  workflows: readonly Workflow[]
}>

const arazzo = JSON.parse(readFileSync(ARAZZO_FILE, 'utf8')) as Arazzo
const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as Document
const BY_ID = new Map(
  listOperations(document).map(({ operation }) => [operation.operationId, operation]),
)
const BY_WORKFLOW = new Map(arazzo.workflows.map((one) => [one.workflowId, one]))
const allSteps = arazzo.workflows.flatMap(({ workflowId, steps }) =>
  steps.map((step) => ({ named: `${workflowId}/${step.stepId}`, step })),
)

describe('the Arazzo document', () => {
  let node: ScenarioNode
  before(async () => {
    node = await scenarioNode(funded('ETH-USDC').blocks())
  })
  after(() => node.close())

  test('the Arazzo document is served beside the document that it names', async () => {
    const [source] = arazzo.sourceDescriptions
    const { body, statusCode } = await node.host.inject('/arazzo.json')
    assert.deepEqual([statusCode, JSON.parse(body)], [200, arazzo])
    assert.deepEqual([arazzo.arazzo, source?.type], ['1.0.1', 'openapi'])
    const { pathname } = new URL(source?.url ?? '', 'http://x/arazzo.json')
    assert.equal((await node.host.inject(pathname)).statusCode, 200, pathname)
  })

  test('the Arazzo document gives operations the parameters that they need, and no others', () => {
    for (const { named, step } of allSteps) {
      if (step.operationId === undefined) continue
      const operation = BY_ID.get(step.operationId)
      assert.ok(operation !== undefined, `${named}: ${step.operationId}`)
      const given = (step.parameters ?? []).map((one) => `${one.in} ${one.name}`)
      assert.deepEqual(
        given.filter((one) => !takenBy(operation).includes(one)),
        [],
        named,
      )
      const needed = (operation.parameters ?? []).filter(({ required }) => required === true)
      for (const { in: place, name } of needed)
        assert.ok(given.includes(`${place} ${name}`), `${named}: ${name}`)
      assert.equal(step.requestBody !== undefined, operation.requestBody !== undefined, named)
      const isPrivate = (operation.security ?? []).length > 0
      assert.equal(given.includes('header API-KEY'), isPrivate, named)
    }
  })

  test('the Arazzo document gives workflows all their inputs, and no other', () => {
    for (const { named, step } of allSteps) {
      if (step.workflowId === undefined) continue
      const inputs = BY_WORKFLOW.get(step.workflowId)?.inputs
      const given = (step.parameters ?? []).map(({ name }) => name)
      assert.deepEqual([...given].sort(), Object.keys(inputs?.properties ?? {}).sort(), named)
    }
  })

  test('the Arazzo document refers only to inputs and to outputs of earlier steps', () => {
    for (const { workflowId, inputs, steps, outputs } of arazzo.workflows) {
      const known = new Set(Object.keys(inputs.properties).map((name) => `$inputs.${name}`))
      const check = (part: unknown) => {
        for (const [reference] of JSON.stringify(part).matchAll(REFERENCE))
          assert.ok(known.has(reference), `${workflowId}: ${reference}`)
      }
      for (const { stepId, outputs: own = {}, ...step } of steps) {
        check(step)
        for (const name of Object.keys(BY_WORKFLOW.get(step.workflowId ?? '')?.outputs ?? {}))
          known.add(`$workflows.${step.workflowId}.outputs.${name}`)
        check(own)
        for (const name of Object.keys(own)) known.add(`$steps.${stepId}.outputs.${name}`)
      }
      check(outputs)
    }
  })
})

const REFERENCE = /\$(?:inputs\.\w+|(?:steps|workflows)\.[\w-]+\.outputs\.\w+)/g

/** Parameters of an operation, the headers of its key among them. */
const takenBy = ({ parameters = [], security = [] }: Operation): readonly string[] => [
  ...parameters.map((one) => `${one.in} ${one.name}`),
  ...(security.length > 0 ? ['header API-KEY', 'header API-SECRET'] : []),
]
