// Compares the test titles of two recorded runs (TEST_RECORD=<file> npm test):
//   node scripts/tests/compare-titles.ts before.jsonl after.jsonl [more-after.jsonl ...]
// Lists titles of the first run that are in none of the others, and new ones; exits with 1 when one
// is missing. A title that moved to another command is found when that command's record is given.
import { readFileSync } from 'node:fs'

type TitleLine = Readonly<{ file: string; title: string; isSuite: boolean; ok: boolean }>

/** Returns how often each title occurs in the recorded runs. */
function countTitles(paths: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths)
    for (const text of readFileSync(path, 'utf8').trim().split('\n')) {
      const { file, title, isSuite } = JSON.parse(text) as TitleLine
      if (isSuite || title === '') continue
      const key = `${file}: ${title}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  return counts
}

const [beforePath = '', ...afterPaths] = process.argv.slice(2)
const before = countTitles([beforePath])
const after = countTitles(afterPaths)
const fewer = [...before].filter(([title, count]) => (after.get(title) ?? 0) < count)
const more = [...after].filter(([title, count]) => (before.get(title) ?? 0) < count)
for (const [title] of fewer) process.stdout.write(`- ${title}\n`)
for (const [title] of more) process.stdout.write(`+ ${title}\n`)
const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
process.stdout.write(
  `${sum(before)} before, ${sum(after)} after: ${fewer.length} missing, ${more.length} new\n`,
)
process.exitCode = fewer.length === 0 ? 0 : 1
