// Compares this checkout with the commit of deployment.json.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { UNKNOWN_COMMIT } from '../apply/deployment-record.ts'
import type { Difference } from './difference.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Inputs of the code on chain. */
const BUILT = ['src', 'lib', 'abi', 'foundry.toml', 'package.json'].map(
  (path) => `contracts/${path}`,
)
/** Maximum number of named files; further ones are counted. */
const NAMED_MAX = 3

type CommitCheck = Readonly<{ differences: readonly Difference[]; summary: string }>

/** Compares the contracts in the folder `root`, committed or not, with those of `commit`. */
export function checkCommit(commit: string, root = ROOT): CommitCheck {
  if (commit === UNKNOWN_COMMIT)
    return { differences: [], summary: 'deployment.json has no commit to compare the sources with' }
  if (commit.endsWith('+')) {
    const expected = 'a commit without uncommitted changes'
    return differing({ subject: 'commit of deployment.json', actual: commit, expected })
  }
  const subject = 'contracts of this checkout'
  const expected = `those of commit ${commit}`
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
  } catch {
    return differing({ subject, actual: 'a history without this commit', expected })
  }
  const changed = git('diff', '--name-only', commit, '--', ...BUILT)
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...BUILT)
  const files = `${changed}${added}`.split('\n').filter((line) => line !== '')
  if (files.length === 0)
    return { differences: [], summary: `contracts of this checkout match commit ${commit}` }
  const more = files.length > NAMED_MAX ? `, and ${files.length - NAMED_MAX} more` : ''
  const actual = `changes in ${files.slice(0, NAMED_MAX).join(', ')}${more}`
  return differing({ subject, actual, expected })
}

const differing = (difference: Difference): CommitCheck => ({
  differences: [difference],
  summary: 'the sources differ from those of the deployment',
})
