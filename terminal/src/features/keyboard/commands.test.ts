import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCommands } from './commands.ts'

const COMMANDS = ['Buy', 'Sell', 'Open ETH-PERP', 'Open ETH-USDC'].map((name) => ({
  name,
  run: () => {},
}))
const namesOf = (typed: string) => findCommands(COMMANDS, typed).map(({ name }) => name)

describe('the command palette', () => {
  test('the command palette finds a command by any words of its name, in any order or case', () => {
    assert.deepEqual(namesOf('perp OPEN'), ['Open ETH-PERP'])
    assert.deepEqual(namesOf('eth'), ['Open ETH-PERP', 'Open ETH-USDC'])
    assert.equal(namesOf('').length, COMMANDS.length)
    assert.deepEqual(namesOf('btc'), [])
  })
})
