// Runs test files in this process, one after another: loading what they share takes longer than
// most of them. Each is a suite of its own, so that its hooks are its own. Arguments: the file that
// receives the process id and the path of the test file that runs, then the test files.
import { writeFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

/** How long a process may live after its last test before it is ended as stuck. */
const LEFT_OPEN_MS_MAX = Number(process.env.TEST_LEFT_OPEN_MS ?? 10_000)

const [statusFile, ...files] = process.argv.slice(2)
/** Resources that keep the process alive: before the first file, and after each. */
const openAfter: string[][] = []
const noteOpen = () => void openAfter.push(process.getActiveResourcesInfo())

/** Written synchronously: the events of a process that hangs may never reach its parent. */
const noteRunning = (file: string) =>
  writeFileSync(statusFile ?? '', JSON.stringify({ pid: process.pid, file }))

if (files[0] !== undefined) noteRunning(files[0])

for (const file of files)
  describe(file, async () => {
    before(() => {
      noteRunning(file)
      if (file === files[0]) noteOpen()
    })
    try {
      await import(pathToFileURL(file).href)
    } catch (error) {
      // A suite that fails on its own would not count as a failed test.
      test('loads', () => {
        throw error
      })
    }
    // Registered last, so it runs after the hooks of the file.
    after(() => {
      noteOpen()
      if (file === files.at(-1)) setTimeout(endStuck, LEFT_OPEN_MS_MAX).unref()
    })
  })

/** Ends this process and names the files that left something open. */
function endStuck(): void {
  const open = process.getActiveResourcesInfo()
  const suspects = files.filter((_, at) => open.some((kind) => countAdded(kind, at) > 0))
  for (const file of suspects.length > 0 ? suspects : files)
    process.stderr.write(`✖ ${file} keeps its process alive after its tests: ${open.join(', ')}\n`)
  process.exit(1)
}

/** Returns how many resources of `kind` file number `at` left open. */
function countAdded(kind: string, at: number): number {
  const count = (resources: readonly string[] = []) =>
    resources.filter((resource) => resource === kind).length
  return count(openAfter[at + 1]) - count(openAfter[at])
}
