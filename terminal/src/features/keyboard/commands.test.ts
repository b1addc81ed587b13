import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCommands } from './commands.ts'

const COMMANDS = ['Buy', 'Sell', 'Open ETH-PERP', 'Open ETH-USDC'].map((name) => ({
  name,
  run: () => {},
}))
const found = (typed: string) => findCommands(COMMANDS, typed).map(({ name }) => name)

describe('the command palette', () => {
  test('finds a command by any words of its name, in any order and case', () => {
    assert.deepEqual(found('perp OPEN'), ['Open ETH-PERP'])
    assert.deepEqual(found('eth'), ['Open ETH-PERP', 'Open ETH-USDC'])
    assert.equal(found('').length, COMMANDS.length)
    assert.deepEqual(found('btc'), [])
  })
})
