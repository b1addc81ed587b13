// The dashboard against Grafana's own types of what its file holds (`@grafana/schema`): it is
// compiled as a value of them, so that a member of another name or kind is found.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readDashboard } from './dashboard.ts'

const RAW = '@grafana/schema/dist/esm/raw/composable'
/** An enumeration is its texts, in JSON. What a panel's own editor fills in may be left out. */
const TYPES = `import type { Dashboard, Panel, RowPanel } from '@grafana/schema'
import type * as stat from '${RAW}/stat/panelcfg/x/StatPanelCfg_types.gen'
import type * as series from '${RAW}/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen'

type Plain<T> = unknown extends T ? T
  : T extends string ? \`\${T}\`
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T
type Config<T> = Omit<NonNullable<Panel['fieldConfig']>, 'defaults'> & {
  defaults: Omit<NonNullable<Panel['fieldConfig']>['defaults'], 'custom'> & { custom?: T }
}
type Query = Readonly<{
  refId: string
  datasource: { type: 'prometheus'; uid: string }
  expr: string
  legendFormat: string
  range: true
}>
type Of<Type extends string, Options, Custom> = Omit<
  Panel,
  'type' | 'options' | 'fieldConfig' | 'targets'
> & { type: Type; options: Partial<Options>; fieldConfig: Config<Custom>; targets: Query[] }
type Row = Omit<RowPanel, 'type'> & { type: 'row' }
type One =
  | Of<'timeseries', series.Options, series.FieldConfig>
  | Of<'stat', stat.Options, undefined>
  | Row
type Whole = Omit<Dashboard, 'panels'> & { panels: One[] }
`
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--types', '']
const RESOLUTION = ['--module', 'esnext', '--moduleResolution', 'bundler']

describe('the dashboard as a value of the types of Grafana', () => {
  const cache = join('node_modules', '.cache', 'openvenue')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'dashboard-'))
  after(() => rmSync(folder, { recursive: true }))

  /** Returns the compiler's output. */
  const compile = (dashboard: object): string => {
    const path = join(folder, 'dashboard.ts')
    const value = `export const dashboard: Plain<Whole> = ${JSON.stringify(dashboard, null, 1)}`
    writeFileSync(path, `${TYPES}\n${value}\n`)
    const args = [...OPTIONS, ...RESOLUTION, '--ignoreConfig', path]
    return spawnSync(join('node_modules', '.bin', 'tsc'), args).stdout.toString()
  }
  /** The file with one text of it replaced. */
  const changed = (from: string, to: string): object => {
    const text = JSON.stringify(readDashboard())
    assert.ok(text.includes(from), from)
    return JSON.parse(text.replace(from, to)) as object
  }

  test('the dashboard compiles as a value of the types of Grafana', () => {
    assert.equal(compile(readDashboard()), '')
  })

  for (const [from, to] of [
    ['"drawStyle":"line"', '"drawStyle":"lines"'],
    ['"fillOpacity":0', '"fillOpacity":"0"'],
    ['"legend":{', '"legends":{'],
    ['"colorMode":"background"', '"colorMode":"back"'],
    ['"collapsed":false', '"collapsed":"no"'],
    ['"graphTooltip":1', '"graphTooltips":1'],
  ] as const)
    test(`the dashboard does not compile with ${to}`, () => {
      assert.match(compile(changed(from, to)), /error TS\d+/)
    })
})
