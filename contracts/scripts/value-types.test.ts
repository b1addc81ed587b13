// Swaps book integers in the contracts' own calls, and requires that the compiler rejects each
// swap. With plain integers all of these compile.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCompilerInput } from './compiler-input.ts'
import { ROOT } from './forge.ts'

type Swap = Readonly<{ name: string; file: string; from: string; to: string; error: RegExp }>

const SWAPS: readonly Swap[] = [
  {
    name: 'lots where a tick is wanted',
    file: 'src/Trimming.sol',
    from: '_value(lots, order.tick, book',
    to: '_value(order.tick, lots, book',
    error: /Invalid implicit conversion from Tick to Lots/,
  },
  {
    name: 'the number of an order where an account is wanted',
    file: 'src/Matching.sol',
    from: '_cancelIfOwn(account, market, orders[i]) != NO_LOTS',
    to: '_cancelIfOwn(orders[i], market, account) != NO_LOTS',
    error: /Invalid implicit conversion from uint40 to AccountId/,
  },
  {
    name: 'a value in quote as the lots of a bounty',
    file: 'src/Trimming.sol',
    from: '_payBounty(market, order, lots, (value < minimum ? value : minimum) / BOUNTY_DIVISOR)',
    to: '_payBounty(market, order, value, Lots.unwrap(lots))',
    error: /No matching declaration found after argument-dependent lookup/,
  },
]

type Output = Readonly<{ errors?: readonly Readonly<{ severity: string; message: string }>[] }>

/** Returns the errors of the sources after the replacement. */
function compileSwapped({ file, from, to }: Swap): string[] {
  const input = readCompilerInput()
  const content = input.sources[file]?.content ?? ''
  assert.equal(content.split(from).length, 2, `${file}: not exactly once: ${from}`)
  const sources = { ...input.sources, [file]: { content: content.replace(from, () => to) } }
  // No output: the compiler checks types and stops.
  const settings = { ...input.settings, outputSelection: {} }
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'tools', 'solc'), '--standard-json'], {
    encoding: 'utf8',
    input: JSON.stringify({ ...input, sources, settings }),
    maxBuffer: 1e9,
  })
  const { errors = [] } = JSON.parse(stdout) as Output
  return errors.filter(({ severity }) => severity === 'error').map(({ message }) => message)
}

for (const swap of SWAPS) {
  test(`the contracts do not compile with ${swap.name}`, () => {
    const errors = compileSwapped(swap)
    assert.ok(
      errors.some((message) => swap.error.test(message)),
      `${swap.name}: ${errors.join('\n') || 'compiled'}`,
    )
  })
}
