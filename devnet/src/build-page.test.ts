import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { buildPage } from './build-page.ts'
import { pageLines } from './ready-text.ts'

describe('building the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-build-page-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** Builds with a script of that text; returns the result and the log. */
  const build = async (text: string, signal?: AbortSignal) => {
    const script = join(folder, 'build.mjs')
    writeFileSync(script, text)
    const logged: unknown[] = []
    const log = { warn: (...words: unknown[]) => logged.push(words) }
    return { why: await buildPage(log as never, signal, script), logged }
  }

  test('a successful build of the page reports nothing', async () => {
    assert.deepEqual(await build('process.stderr.write("a warning")'), {
      why: undefined,
      logged: [],
    })
  })

  test('a failed build of the page is reported in one line and logged in full', async () => {
    const said =
      'a warning\\nthe page was not built: Build failed with 1 error: no such file\\n  at x'
    const { why, logged } = await build(`process.stderr.write("${said}"); process.exitCode = 1`)
    assert.equal(why, 'Build failed with 1 error: no such file')
    assert.match(JSON.stringify(logged), /a warning/)
    const { why: unsaid } = await build('process.exitCode = 1')
    assert.equal(unsaid, 'its script ended')
  })

  test('an aborted build of the page reports nothing', async () => {
    const stopped = AbortSignal.abort()
    assert.deepEqual(await build('', stopped), { why: undefined, logged: [] })
  })

  test('the start of a devnet prints a failed build of the page, with the command for details', () => {
    const apiUrl = 'http://127.0.0.1:3000'
    const lines = (hasTerminal: boolean, terminalProblem: string | undefined) =>
      pageLines({ apiUrl, hasTerminal, terminalProblem }).join('\n')
    assert.equal(lines(true, undefined), `  Trade        ${apiUrl}/`)
    assert.equal(lines(false, undefined), '')
    assert.match(
      lines(false, 'no vite'),
      /Trade +not here, the page was not built: no vite\n.*npm run build -w terminal/,
    )
    assert.match(
      lines(true, 'no vite'),
      /Trade .*\n.*is of an earlier build; this one failed: no vite\n/,
    )
  })
})
