// The manifests of ops/kubernetes: compiled as values of types generated from published schemas,
// and compared with the services. None was run on a cluster.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { SETTING_NAMES } from '@openvenue/runtime/settings'
import { parseAllDocuments } from 'yaml'

const FOLDER = 'ops/kubernetes'
const CLOUDNATIVE_PG = join(FOLDER, 'schemas/cloudnative-pg-cluster.json')
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', '']
const RESOLUTION = ['--module', 'esnext', '--moduleResolution', 'bundler']

type Labels = Readonly<Record<string, string>>
type Probe = Readonly<{ httpGet?: { path: string }; tcpSocket?: object }>
type Container = Readonly<{
  name: string
  command?: readonly string[]
  env?: readonly Readonly<{ name: string; value: string }>[]
  ports: readonly Readonly<{ name: string; containerPort: number }>[]
  readinessProbe: Probe
  livenessProbe: Probe
  securityContext: object
}>
type Volume = Readonly<{ secret?: { secretName: string; items: readonly { path: string }[] } }>
type Manifest = Readonly<{
  apiVersion: string
  kind: string
  metadata: Readonly<{ name: string; namespace?: string }>
  data?: Labels
  spec: Readonly<{
    replicas?: number
    selector?: Labels & Readonly<{ matchLabels?: Labels }>
    template?: Readonly<{
      metadata: Readonly<{ labels: Labels }>
      spec: Readonly<{ containers: readonly Container[]; volumes?: readonly Volume[] }>
    }>
  }>
}>

const manifests: readonly Manifest[] = globSync(`${FOLDER}/*.yaml`)
  .sort()
  .flatMap((path) => parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1' }))
  .map((document) => document.toJS() as Manifest)
const ofKind = (...kinds: readonly string[]) => manifests.filter(({ kind }) => kinds.includes(kind))
const workloads = ofKind('Deployment', 'StatefulSet')
const venue = workloads.filter(({ metadata }) => metadata.name !== 'redis')
const containerOf = ({ spec }: Manifest) => spec.template?.spec.containers[0] as Container

/** A part of a JSON schema. */
type Schema = Readonly<{
  type?: string | readonly string[]
  const?: string
  enum?: readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: Schema | false
  $ref?: string
  $defs?: Readonly<Record<string, Schema>>
}>

/** Returns the TypeScript type of values of a schema. */
function typeText(schema: Schema): string {
  const { type, items, properties, required = [], additionalProperties } = schema
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (items !== undefined) return `(${typeText(items)})[]`
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, value]) => `'${name}'${required.includes(name) ? '' : '?'}: ${typeText(value)}`,
    )
    return `{ ${members.join('; ')} }`
  }
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeText(additionalProperties)}>`
  return type === undefined ? 'any' : [type].flat().join(' | ')
}

/** Returns the types of the kinds, by `<version>/<kind>`. */
function typesText(): string {
  const kinds = [...new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))]
  const imports = kinds.map((name, index) => {
    const [version = '', kind = ''] = name.split(' ')
    if (version.startsWith('postgresql.cnpg.io/')) return `type Kind${index} = Cluster`
    const isOwn = version.startsWith('monitoring.coreos.com/')
    const owner = isOwn ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'
    return `import type { I${kind} as Kind${index} } from '${owner}/${version}/${kind}'`
  })
  const cluster = JSON.parse(readFileSync(CLOUDNATIVE_PG, 'utf8')) as Schema
  const definitions = Object.entries(cluster.$defs ?? {}).map(
    ([name, schema]) => `type ${name} = ${typeText(schema)}`,
  )
  const one = kinds.map((_, index) => `Kind${index}`).join(' | ')
  return [
    ...imports.toSorted(),
    ...definitions,
    `type Cluster = ${typeText(cluster)}`,
    `export type Manifest = ${one}`,
  ].join('\n')
}

describe('the manifests for Kubernetes', () => {
  const cache = join('node_modules', '.cache', 'openvenue')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'kubernetes-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Compiles each value in a file of its own; returns the output of the compiler by file. */
  const compile = (values: readonly object[]): readonly string[] => {
    writeFileSync(join(folder, 'types.ts'), typesText())
    const paths = values.map((value, index) => {
      const path = join(folder, `manifest${index}.ts`)
      const text = `export const value: Manifest = ${JSON.stringify(value, null, 1)}`
      writeFileSync(path, `import type { Manifest } from './types'\n${text}\n`)
      return path
    })
    const args = [...OPTIONS, ...RESOLUTION, '--ignoreConfig', ...paths]
    const { stdout } = spawnSync(join('node_modules', '.bin', 'tsc'), args)
    const lines = stdout
      .toString()
      .split('\n')
      .filter((line) => line.includes('error TS'))
    return paths.map((path) => lines.filter((line) => line.includes(path)).join('\n'))
  }
  const changed = (kind: string, from: string, to: string): object => {
    const [text = ''] = ofKind(kind)
      .map((manifest) => JSON.stringify(manifest))
      .filter((json) => json.includes(from))
    assert.notEqual(text, '', from)
    return JSON.parse(text.replace(from, to)) as object
  }

  test('the manifests compile as values of the published types', () => {
    assert.deepEqual(
      compile(manifests),
      manifests.map(() => ''),
    )
  })

  const mistakes = [
    ['Deployment', '"readinessProbe"', '"readynessProbe"'],
    ['Deployment', '"containerPort":3000', '"containerPort":"3000"'],
    ['StatefulSet', '"serviceName"', '"service"'],
    ['Service', '"sessionAffinity"', '"sessionAffinities"'],
    ['PodDisruptionBudget', '"maxUnavailable"', '"maxUnavailible"'],
    ['NetworkPolicy', '"podSelector"', '"podSelectors"'],
    ['Ingress', '"pathType"', '"type"'],
    ['ServiceMonitor', '"interval"', '"every"'],
    ['Cluster', '"synchronous"', '"synchronus"'],
    ['Cluster', '"method":"any"', '"method":"some"'],
    ['Cluster', '"instances":3', '"instances":"3"'],
  ] as const
  test('a manifest with a misspelt field or a value of another type does not compile', () => {
    const outputs = compile(mistakes.map(([kind, from, to]) => changed(kind, from, to)))
    for (const [index, [kind, , to]] of mistakes.entries())
      assert.match(outputs[index] ?? '', /error TS\d+/, `${kind} ${to}`)
  })

  test('every object but the namespace is in the namespace', () => {
    for (const { kind, metadata } of manifests)
      if (kind !== 'Namespace') assert.equal(metadata.namespace, 'openvenue', metadata.name)
  })

  test('no secret is in a manifest, and settings are known variables', () => {
    assert.deepEqual(ofKind('Secret'), [])
    const [settings] = ofKind('ConfigMap')
    const own = venue.flatMap((manifest) => containerOf(manifest).env ?? [])
    const names = [...Object.keys(settings?.data ?? {}), ...own.map(({ name }) => name)]
    const isKnown = (name: string) =>
      [name, name.replace(/_FILE$/, '')].some((n) => SETTING_NAMES.has(n))
    assert.deepEqual(
      names.filter((name) => !isKnown(name)),
      [],
    )
  })

  test('every file named by a variable is mounted from a secret', () => {
    const [settings] = ofKind('ConfigMap')
    const common = Object.entries(settings?.data ?? {}).filter(([name]) => name.endsWith('_FILE'))
    for (const manifest of venue) {
      const { env = [] } = containerOf(manifest)
      const files = [...common.map(([, value]) => value), ...env.map(({ value }) => value)]
      const mounted = (manifest.spec.template?.spec.volumes ?? []).flatMap(({ secret }) =>
        (secret?.items ?? []).map(({ path }) => path),
      )
      const named = files
        .filter((path) => path.startsWith('/run/secrets/'))
        .map((path) => path.split('/').at(-1))
      assert.deepEqual(named.toSorted(), mounted.toSorted(), manifest.metadata.name)
    }
  })

  test('every selector matches the pods of a workload of its name', () => {
    for (const { kind, metadata, spec } of ofKind('Service', 'PodDisruptionBudget')) {
      if (metadata.name === 'nothing') continue
      const wanted = kind === 'Service' ? spec.selector : spec.selector?.matchLabels
      const [workload] = workloads.filter((one) => one.metadata.name === metadata.name)
      const labels = workload?.spec.template?.metadata.labels ?? {}
      for (const [name, value] of Object.entries(wanted ?? {})) assert.equal(labels[name], value)
      assert.ok(Object.keys(wanted ?? {}).length > 0, `${kind} ${metadata.name}`)
    }
  })

  test('every service runs more than once, with a budget and probes that its program answers', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)
    for (const manifest of venue) {
      const { name } = manifest.metadata
      const { command = [], readinessProbe, livenessProbe, ports } = containerOf(manifest)
      assert.ok((manifest.spec.replicas ?? 0) > 1, name)
      assert.ok(budgets.includes(name), name)
      assert.equal(ports.length, 1)
      const program = command.at(-1) ?? ''
      assert.deepEqual(globSync(program), [program])
      const isPublic = ['api', 'integrated'].includes(name)
      assert.equal(readinessProbe.httpGet?.path, isPublic ? '/ready?for=traffic' : '/ready')
      // An indexer has no /health.
      assert.equal(livenessProbe.httpGet?.path, name === 'indexer' ? '/metrics' : '/health')
    }
  })
})
