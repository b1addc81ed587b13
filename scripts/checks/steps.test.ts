// The steps of a check: how long each took, and which failed.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const STEPS = join(import.meta.dirname, 'steps.ts')

/** Runs steps in a process of their own, and returns what that prints. */
function run(steps: readonly (readonly string[])[]) {
  const program = `
    const { runTogether } = await import(${JSON.stringify(STEPS)})
    const failed = await runTogether(${JSON.stringify(steps)})
    console.log('failed: ' + JSON.stringify(failed.map(({ name, status, output }) => [name, status, output])))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    .stdout
}

const step = (name: string, code: string) => [name, process.execPath, '-e', code]

test('every step of a check reports how long it took', () => {
  const out = run([step('first', ''), step('second', 'setTimeout(() => {}, 300)')])
  assert.match(out, /^✔ +[\d.]+ s {2}first$/m)
  const seconds = Number(/^✔ +([\d.]+) s {2}second$/m.exec(out)?.[1])
  assert.ok(seconds >= 0.3, out)
  assert.match(out, /^failed: \[\]$/m)
})

test('a failed step of a check is returned with its output, and the others still run', () => {
  const out = run([
    step('bad', "console.log('line 7 is wrong'); process.exitCode = 3"),
    step('good', ''),
    step('also good', ''),
  ])
  assert.match(out, /^✖ +[\d.]+ s {2}bad$/m)
  assert.match(out, /^✔ +[\d.]+ s {2}good$/m)
  assert.match(out, /^✔ +[\d.]+ s {2}also good$/m)
  assert.ok(out.includes('failed: [["bad",3,"line 7 is wrong\\n"]]'), out)
})

test('a step of a check whose program is missing fails', () => {
  assert.match(run([['absent', 'no-such-program-here']]), /^failed: \[\["absent",1,/m)
})
