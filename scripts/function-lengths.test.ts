import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionLengths } from './function-lengths.ts'

test('the length of a function includes all that is nested in it, but no blank lines', () => {
  const text = `
function outer(): number {
  const inner = (x: number) => {

    return x
  }
  return inner(1)
}
class Book {
  #level() {
    return 1
  }
}
`
  assert.deepEqual(functionLengths(text), [
    { name: 'outer', line: 2, lines: 6 },
    { name: 'inner', line: 3, lines: 3 },
    { name: 'level', line: 10, lines: 3 },
  ])
})
