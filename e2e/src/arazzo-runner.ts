// Runs workflows of an Arazzo document (1.0.1) against a host: steps in order, with parameters,
// bodies, criteria, retries and outputs. Features that our document does not use are refused.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, evaluate, type FlowValues, holds, resolve } from './arazzo-expressions.ts'

type Criterion = Readonly<{ condition: string }>
type Action = Readonly<{
  name: string
  type: 'retry' | 'end'
  retryAfter?: number
  retryLimit?: number
  criteria?: readonly Criterion[]
}>
type FlowStep = Readonly<{
  stepId: string
  operationId?: string
  workflowId?: string
  parameters?: readonly Readonly<{ name: string; in?: string; value: unknown }>[]
  requestBody?: Readonly<{ contentType: string; payload: unknown }>
  successCriteria?: readonly Criterion[]
  onFailure?: readonly Action[]
  outputs?: Readonly<Record<string, string>>
}>
type Workflow = Readonly<{
  workflowId: string
  inputs?: Readonly<{ required?: readonly string[]; properties?: FlowValues }>
  steps: readonly FlowStep[]
  outputs?: Readonly<Record<string, string>>
}>
type Arazzo = Readonly<{
  arazzo: string
  sourceDescriptions: readonly Readonly<{ name: string; url: string }>[]
  workflows: readonly Workflow[]
}>
type OpenApi = Readonly<{
  paths: Readonly<Record<string, Readonly<Record<string, Readonly<{ operationId: string }>>>>>
}>

const SECOND_MS = 1000

export class ArazzoRunner {
  readonly #document: Arazzo
  readonly #openApi: OpenApi
  readonly #baseUrl: string
  /** Every completed step in order, with its number of attempts. */
  readonly done: { step: string; tries: number }[] = []

  private constructor(document: Arazzo, openApi: OpenApi, baseUrl: string) {
    this.#document = document
    this.#openApi = openApi
    this.#baseUrl = baseUrl
  }

  /** Reads the document at `url`, and the one that it names, from the host that serves both. */
  static async load(url: string): Promise<ArazzoRunner> {
    const read = async (from: string) => (await fetch(from)).json()
    const document = (await read(url)) as Arazzo
    const [source] = document.sourceDescriptions
    if (source === undefined) throw new Error('the document names a source')
    const openApi = (await read(new URL(source.url, url).href)) as OpenApi
    return new ArazzoRunner(document, openApi, new URL('.', url).href)
  }

  /** Runs a workflow to its end and returns its outputs; throws when a step fails for good. */
  async run(workflowId: string, inputs: FlowValues): Promise<FlowValues> {
    const workflow = this.#document.workflows.find((each) => each.workflowId === workflowId)
    if (workflow === undefined) throw new Error(`unknown workflow ${workflowId}`)
    const missing = (workflow.inputs?.required ?? []).filter((name) => inputs[name] === undefined)
    if (missing.length > 0) throw new Error(`${workflowId} lacks inputs ${missing.join(', ')}`)
    const context: Context = { inputs, steps: {}, workflows: {} }
    for (const step of workflow.steps)
      context.steps[step.stepId] = { outputs: await this.#runStep(step, context) }
    return outputsOf(workflow, context)
  }

  async #runStep(step: FlowStep, context: Context): Promise<FlowValues> {
    for (let tries = 1; ; tries += 1) {
      const seen = await this.#perform(step, context)
      if (holdsAll(step.successCriteria, seen)) {
        this.done.push({ step: step.stepId, tries })
        return outputsOf(step, seen)
      }
      const action = step.onFailure?.find(({ criteria }) => holdsAll(criteria, seen))
      if (action?.type !== 'retry' || tries > (action.retryLimit ?? 1))
        throw new Error(`${step.stepId}, ${action?.name}: ${JSON.stringify(seen.response)}`)
      await sleep((action.retryAfter ?? 0) * SECOND_MS)
    }
  }

  /** Returns the context with the answer of a step's operation or workflow. */
  async #perform(step: FlowStep, context: Context): Promise<Context> {
    const { workflowId, parameters = [] } = step
    if (workflowId === undefined) return { ...context, response: await this.#ask(step, context) }
    const inputs = parameters.map(({ name, value }) => [name, resolve(value, context)])
    const outputs = await this.run(workflowId, Object.fromEntries(inputs))
    return { ...context, workflows: { ...context.workflows, [workflowId]: { outputs } } }
  }

  async #ask({ operationId = '', parameters = [], requestBody }: FlowStep, context: Context) {
    const { method, path } = this.#operation(operationId)
    const given = parameters.map((parameter) => ({
      ...parameter,
      text: String(resolve(parameter.value, context)),
    }))
    const at = (place: string) =>
      given
        .filter((parameter) => parameter.in === place)
        .map(({ name, text }) => [name, text] as const)
    const filled = at('path').reduce(
      (url, [name, text]) => url.replace(`{${name}}`, encodeURIComponent(text)),
      path,
    )
    const url = new URL(filled.slice(1), this.#baseUrl)
    for (const [name, text] of at('query')) url.searchParams.set(name, text)
    const body = requestBody && JSON.stringify(resolve(requestBody.payload, context))
    const headers = {
      ...Object.fromEntries(at('header')),
      ...(requestBody && { 'content-type': requestBody.contentType }),
    }
    const response = await fetch(url, { method, headers, ...(body && { body }) })
    return { statusCode: response.status, headers: response.headers, body: await response.json() }
  }

  #operation(operationId: string): Readonly<{ method: string; path: string }> {
    for (const [path, operations] of Object.entries(this.#openApi.paths))
      for (const [method, operation] of Object.entries(operations))
        if (operation.operationId === operationId) return { method: method.toUpperCase(), path }
    throw new Error(`there is an operation ${operationId}`)
  }
}

const holdsAll = (criteria: readonly Criterion[] | undefined, context: Context): boolean =>
  (criteria ?? []).every(({ condition }) => holds(condition, context))

const outputsOf = ({ outputs = {} }: Pick<FlowStep, 'outputs'>, context: Context): FlowValues =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, expression]) => [name, evaluate(expression, context)]),
  )
