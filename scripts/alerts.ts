// Checks with promtool what operators watch by: `npm run test:alerts`. The rules are read, each
// alert fires with made-up series and rests with others, and every expression of the dashboard is
// one. promtool is of Debian's package `prometheus`, installed where it is absent (as root, or by
// sudo); nothing of it is left running by us.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall, isProgram } from './debian.ts'
import { readDashboard } from './watch/dashboard.ts'

const PROMTOOL = 'promtool'

function promtool(...args: readonly string[]): void {
  const { status } = spawnSync(PROMTOOL, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`promtool ${args.join(' ')} ended with ${status}`)
}

/** Returns the expressions of the dashboard as recording rules, which promtool parses. */
function dashboardRules(): string {
  const rules = readDashboard().panels.flatMap(({ targets = [] }) => targets)
  const lines = rules.map(
    ({ expr }, at) => `      - { record: "panel:${at}", expr: ${JSON.stringify(expr)} }`,
  )
  return ['groups:', '  - name: dashboard', '    rules:', ...lines, ''].join('\n')
}

function main(): void {
  if (!isProgram(PROMTOOL)) aptInstall('prometheus')
  promtool('check', 'rules', 'ops/alerts.yml')
  promtool('test', 'rules', 'ops/alerts.test.yml')
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-alerts-'))
  try {
    const path = join(folder, 'dashboard.yml')
    writeFileSync(path, dashboardRules())
    promtool('check', 'rules', path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

main()
