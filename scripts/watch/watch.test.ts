// Checks beyond promtool: each alert is explained and tested, and Grafana can show the dashboard.
// `npm run test:alerts` does the rest.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Panel, readDashboard } from './dashboard.ts'

const ALERTS = 21
const COLUMNS = 24
const rules = readFileSync('ops/alerts.yml', 'utf8')
const cases = readFileSync('ops/alerts.test.yml', 'utf8').split('\n  - name: ').slice(1)
const runbook = readFileSync('docs/RUNBOOK.md', 'utf8')
const alerts = rules
  .split(/\n {6}- alert: /)
  .slice(1)
  .map((text) => `${text}\n`)
const nameOf = (alert: string) => alert.slice(0, alert.indexOf('\n'))

describe('the alerts', () => {
  test('the twenty-one alerts have a severity, a summary and a paragraph in the runbook', () => {
    assert.equal(alerts.length, ALERTS)
    for (const alert of alerts) {
      const name = nameOf(alert)
      assert.match(alert, /severity: (critical|warning) /, name)
      assert.match(alert, /summary: \S/, name)
      assert.ok(alert.includes(`runbook_url: docs/RUNBOOK.md#${name.toLowerCase()}\n`), name)
      assert.equal(runbook.split(`\n## ${name}\n`).length, 2, `${name} has one paragraph`)
    }
  })

  test('each alert fires in a case of promtool and not in another', () => {
    for (const name of alerts.map(nameOf)) {
      const alertCases = cases.filter((text) => text.includes(`alertname: ${name}\n`))
      const atRest = alertCases.filter((text) => text.includes('exp_alerts: []'))
      assert.ok(atRest.length > 0 && atRest.length < alertCases.length, name)
    }
  })
})

describe('the dashboard', () => {
  const { panels, templating } = readDashboard()
  const [rows, charts] = [true, false].map((isRow) =>
    panels.filter(({ type }) => (type === 'row') === isRow),
  ) as [Panel[], Panel[]]

  test('the dashboard has a row for each part of the venue, with unique ids and positions', () => {
    const titles = rows.map(({ title }) => title).join()
    for (const part of ['Chain', 'API', 'Sockets', 'relay', 'oracle', 'Solvency'])
      assert.ok(titles.includes(part), part)
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(x < COLUMNS && !taken.has(`${x},${y}`), title)
          taken.add(`${x},${y}`)
        }
  })

  test('the dashboard queries the selected data source, with a letter for each query', () => {
    assert.deepEqual(
      templating.list.map(({ name, type }) => [name, type]),
      [['datasource', 'datasource']],
    )
    for (const { title, targets = [] } of charts) {
      assert.ok(targets.length > 0, title)
      assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own way to name a variable
      for (const { datasource } of targets) assert.equal(datasource.uid, '${datasource}', title)
    }
  })
})
