// Compares a checkout with the commit of deployment.json, in a test repository.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { checkCommit } from './check-commit.ts'

const root = mkdtempSync(join(tmpdir(), 'openvenue-commit-'))
after(() => rmSync(root, { recursive: true }))

const git = (...args: readonly string[]) => {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim()
}
function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

git('init', '-q')
write('contracts/src/Spot.sol', 'one')
write('contracts/test/Spot.t.sol', 'one')
git('add', '.')
git('commit', '-qm', 'deployed')
const commit = git('rev-parse', 'HEAD')
beforeEach(() => {
  git('reset', '-q', '--hard', commit)
  git('clean', '-qfd')
})

const readDifferences = (of = commit) =>
  checkCommit(of, root).differences.map(({ actual }) => actual)

test('the deployed commit has no differences, and the summary names it', () => {
  assert.deepEqual(checkCommit(commit, root), {
    differences: [],
    summary: `contracts of this checkout match commit ${commit}`,
  })
})

test('a later commit with unchanged contracts has no differences', () => {
  write('contracts/test/Spot.t.sol', 'two')
  write('README.md', 'two')
  git('add', '.')
  git('commit', '-qm', 'later')
  assert.deepEqual(readDifferences(), [])
})

test('the difference names changed and new sources, committed or not', () => {
  write('contracts/src/Spot.sol', 'two')
  write('contracts/src/New.sol', 'two')
  assert.deepEqual(readDifferences(), ['changes in contracts/src/Spot.sol, contracts/src/New.sol'])
  git('add', '.')
  git('commit', '-qm', 'later')
  assert.deepEqual(readDifferences(), ['changes in contracts/src/New.sol, contracts/src/Spot.sol'])
})

test('a commit that is missing in the history or had uncommitted changes is a difference', () => {
  assert.deepEqual(readDifferences('0'.repeat(40)), ['a history without this commit'])
  assert.deepEqual(readDifferences(`${commit}+`), [`${commit}+`])
})

test('a deployment without a commit is not compared', () => {
  assert.deepEqual(checkCommit('unknown', root), {
    differences: [],
    summary: 'deployment.json has no commit to compare the sources with',
  })
})
