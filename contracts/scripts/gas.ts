// Prints the gas of each action of the engines next to its goal in gas-goals.json. A missed goal
// stays there, with the currently accepted figure and the decision that gives the reason. With
// --check it reads the snapshots of the last `forge test`, else it runs the gas tests first.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './forge.ts'
import { runForgeTest } from './shipped.ts'

/** `over` names two snapshots whose difference the goal limits. */
type Goal = Readonly<{
  goal: number
  over?: readonly [more: string, less: string]
  accepted?: number
  decision?: string
}>
type Goals = Readonly<Record<string, Readonly<Record<string, Goal>>>>
type GasRow = Readonly<{ action: string; gas: number; goal: number | null; verdict: string }>

function measure(): void {
  const run = runForgeTest(['--match-contract', 'Gas'])
  if (run.error) throw run.error
  if (run.status !== 0) throw new Error(`forge test failed\n${run.stdout}${run.stderr}`)
}

function readSnapshot(engine: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(ROOT, 'snapshots', `${engine}.json`), 'utf8'))
}

/** A miss is accepted when a decision explains it and it costs no more than the accepted figure. */
function judgeGas(gas: number, goal: Goal | undefined): string {
  if (goal === undefined) return ''
  if (gas <= goal.goal) return 'ok'
  const { accepted, decision } = goal
  if (accepted === undefined || decision === undefined) return 'MISSED'
  if (!existsSync(join(ROOT, '..', decision))) return `MISSED, ${decision} is not there`
  return gas <= accepted ? `missed, see ${decision}` : `MISSED, above the accepted ${accepted}`
}

function gasRow(action: string, text: string | undefined, goal: Goal | undefined): GasRow {
  if (text === undefined) {
    return { action, gas: 0, goal: goal?.goal ?? null, verdict: 'MISSED, not measured' }
  }
  const gas = Number(text)
  return { action, gas, goal: goal?.goal ?? null, verdict: judgeGas(gas, goal) }
}

function gasRows(engine: string, goals: Readonly<Record<string, Goal>>): GasRow[] {
  const measured: Record<string, string> = { ...readSnapshot(engine) }
  for (const [action, { over }] of Object.entries(goals)) {
    if (over !== undefined) {
      measured[action] = String(Number(measured[over[0]]) - Number(measured[over[1]]))
    }
  }
  const actions = new Set([...Object.keys(measured), ...Object.keys(goals)])
  return [...actions].map((action) => ({
    ...gasRow(action, measured[action], goals[action]),
    action: `${engine}: ${action}`,
  }))
}

function print(rows: readonly GasRow[]): void {
  const width = Math.max(...rows.map(({ action }) => action.length))
  const figure = (value: number | null): string =>
    value === null ? '' : value.toLocaleString('en')
  process.stdout.write(`${'action'.padEnd(width)}  ${'gas'.padStart(9)}  ${'goal'.padStart(9)}\n`)
  for (const { action, gas, goal, verdict } of rows) {
    const cells = [action.padEnd(width), figure(gas).padStart(9), figure(goal).padStart(9), verdict]
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}

if (!process.argv.includes('--check')) measure()
const goals: Goals = JSON.parse(readFileSync(join(ROOT, 'gas-goals.json'), 'utf8'))
const rows = Object.entries(goals).flatMap(([engine, ofEngine]) => gasRows(engine, ofEngine))
print(rows)
if (rows.some(({ verdict }) => verdict.startsWith('MISSED'))) process.exitCode = 1
