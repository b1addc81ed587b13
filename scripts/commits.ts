// Checks the subjects of commits, `area: imperative summary`: all since SINCE, or that of the
// message in a file, `node scripts/commits.ts <file>`, for scripts/hooks.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Last commit before the rule. */
const SINCE = 'ef3aa389522b4514a5c30f3a79c444f5625173c9'
const LENGTH_MAX = 72
/** "api", "client, cli" or "api/src"; "generated" for files that a script wrote. */
const SHAPE = /^[a-z][a-z0-9-]*(?:[,/] ?[a-z][a-z0-9-]*)*: (?:[a-z0-9`"]|[A-Z]{2})/
/** The third person, the past and the participle; verbs that only look like one are listed. */
const NOT_IMPERATIVE = /(?:[^s]s|ed|ing)$/
const IMPERATIVES = new Set(['bring', 'embed', 'feed', 'focus', 'need', 'speed', 'canvas', 'alias'])

/** Returns the rule that a subject breaks, or undefined. */
export function brokenRule(subject: string): string | undefined {
  if (/^(Merge|Revert|fixup!|squash!) /.test(subject)) return undefined
  if (subject.length > LENGTH_MAX)
    return `expected at most ${LENGTH_MAX} characters, got ${subject.length}`
  if (!SHAPE.test(subject)) return 'expected "area: summary" in lower case'
  if (subject.endsWith('.')) return 'expected no full stop at the end'
  const [verb = ''] = subject.slice(subject.indexOf(': ') + 2).split(/[ ,]/)
  if (IMPERATIVES.has(verb)) return undefined
  if (NOT_IMPERATIVE.test(verb)) return `expected the imperative, got "${verb}"`
  return undefined
}

/** Returns the subjects to check: only the last one where a shallow clone ends before SINCE. */
function readSubjects(): readonly string[] {
  const log = (...range: readonly string[]) =>
    execFileSync('git', ['log', '--format=%s', ...range], { encoding: 'utf8', stdio: 'pipe' })
  const read = () => {
    try {
      return log(`${SINCE}..HEAD`)
    } catch {
      return log('-1')
    }
  }
  return read().trimEnd().split('\n').filter(Boolean)
}

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  const subjects =
    file === undefined ? readSubjects() : [readFileSync(file, 'utf8').split('\n')[0] ?? '']
  for (const subject of subjects) {
    const rule = brokenRule(subject)
    if (rule === undefined) continue
    process.stderr.write(`${subject}\n  ${rule}\n`)
    process.exitCode = 1
  }
}
