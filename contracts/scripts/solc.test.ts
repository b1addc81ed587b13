import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from './forge.ts'

const SOLC = join(ROOT, 'tools', 'solc')
const { version } = createRequire(import.meta.url)('solc/package.json') as { version: string }
const NOTHING = '{"language":"Solidity","sources":{}}'
const folder = mkdtempSync(join(tmpdir(), 'openvenue-solc-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs tools/solc with a solc of `nativeVersion` first on the PATH, or with none. */
function run(args: readonly string[], nativeVersion?: string) {
  const path = join(folder, 'solc')
  rmSync(path, { force: true })
  if (nativeVersion !== undefined) {
    const answer = `echo native ran $@; cat > /dev/null`
    const versionLine = `echo Version: ${nativeVersion}`
    writeFileSync(
      path,
      `#!/bin/sh\nif [ $1 = --version ]; then ${versionLine}; else ${answer}; fi\n`,
    )
    chmodSync(path, 0o755)
  }
  return runWithPath(args)
}

function runWithPath(args: readonly string[]) {
  const PATH = [folder, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
  const env = { ...process.env, PATH }
  return spawnSync(process.execPath, [SOLC, ...args], { encoding: 'utf8', env, input: NOTHING })
}

test("a native solc of the same version as npm's is used", () => {
  const { stdout, status } = run(['--standard-json'], `${version}+commit.f401782d.Linux.g++`)
  assert.equal(stdout, 'native ran --standard-json\n')
  assert.equal(status, 0)
})

for (const other of ['0.8.28+commit.7893614a', `${version}-nightly.2026.1.1`, `${version}1`]) {
  test(`a native solc ${other} is not used`, () => {
    const { stdout } = run(['--standard-json'], other)
    assert.match(stdout, /No input sources specified/)
  })
}

test("without a native solc npm's is used", () => {
  assert.match(run(['--standard-json']).stdout, /No input sources specified/)
})

test('tools/solc on the PATH does not call itself', () => {
  rmSync(join(folder, 'solc'), { force: true })
  symlinkSync(SOLC, join(folder, 'solc'))
  assert.match(runWithPath(['--standard-json']).stdout, /No input sources specified/)
})

test('forge reads the version of the compiler in use', () => {
  assert.match(
    run(['--version'], '0.8.28+commit.7893614a').stdout,
    new RegExp(`^Version: ${version}$`, 'm'),
  )
})
