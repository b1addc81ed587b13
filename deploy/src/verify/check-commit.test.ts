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

const found = (of = commit) => checkCommit(of, root).differences.map(({ stands }) => stands)

test('the deployed commit itself has no differences, and the report names it', () => {
  assert.deepEqual(checkCommit(commit, root), {
    differences: [],
    says: `contracts are those of commit ${commit}`,
  })
})

test('a later commit with unchanged contracts has no differences', () => {
  write('contracts/test/Spot.t.sol', 'two')
  write('README.md', 'two')
  git('add', '.')
  git('commit', '-qm', 'later')
  assert.deepEqual(found(), [])
})

test('changed sources, committed or not, and new ones are named', () => {
  write('contracts/src/Spot.sol', 'two')
  write('contracts/src/New.sol', 'two')
  assert.deepEqual(found(), ['others in contracts/src/Spot.sol, contracts/src/New.sol'])
  git('add', '.')
  git('commit', '-qm', 'later')
  assert.deepEqual(found(), ['others in contracts/src/New.sol, contracts/src/Spot.sol'])
})

test('a commit that is missing in the history, or that was not clean, cannot be compared', () => {
  assert.deepEqual(found('0'.repeat(40)), ['a history without that commit'])
  assert.deepEqual(found(`${commit}+`), [`${commit}+`])
})

test('without a commit there is no comparison', () => {
  assert.deepEqual(checkCommit('unknown', root), {
    differences: [],
    says: 'deployment.json names no commit to compare the sources with',
  })
})
