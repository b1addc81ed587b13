// Runs several test files in this process, one after the other: to load what they share takes
// longer than most of them. Each is a suite of its own, so that its hooks are its own, too.
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2))
  describe(file, async () => {
    try {
      await import(pathToFileURL(file).href)
    } catch (error) {
      // Of a suite that fails by itself no test would count.
      test('loads', () => {
        throw error
      })
    }
  })
