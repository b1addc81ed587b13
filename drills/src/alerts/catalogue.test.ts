// Every alert has a drill that causes it, and no drill waits for an unknown alert.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ALERT_DRILLS } from './catalogue.ts'

/**
 * Covered by tests of e2e (metrics), keeper (peers) and store (NATS faults); states of a PostgreSQL
 * server by scripts/doctor/server-checks.test.ts and indexer/src/metrics.test.ts.
 */
const ELSEWHERE = [
  'Insolvent',
  'KeeperSettings',
  'FeedFallback',
  'DatabaseNotPrimary',
  'StandbyMissing',
  'ArchiveFailing',
  'ConnectionsLow',
  'ClockOffset',
]

test('each alert has a drill, and each drill waits for existing alerts', () => {
  const rules = readFileSync('ops/alerts.yml', 'utf8')
  const alerts = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = '']) => name)
  const drilled = new Set(ALERT_DRILLS.flatMap(({ alerts }) => alerts))
  assert.deepEqual([...drilled, ...ELSEWHERE].toSorted(), alerts.toSorted())
})

test('each drill has a unique name and a row in the runbook', () => {
  assert.equal(new Set(ALERT_DRILLS.map(({ name }) => name)).size, ALERT_DRILLS.length)
  const runbook = readFileSync('docs/RUNBOOK.md', 'utf8')
  const [, table = ''] = runbook.split('## Drills of this runbook')
  const rows = table.split('\n').filter((line) => line.startsWith('| ')).length - 2
  assert.equal(rows, ALERT_DRILLS.length)
})
