// Plants bugs in a copy of the contracts, one at a time, and requires that the short invariants find
// each: `npm run mutants -w contracts`. A fuzz that no planted bug can fail shows nothing. The copy is
// compiled without IR, in a third of the time. The long fuzz ends with the first three.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ROOT, runForge } from './forge.ts'

/** `from` stands exactly once in the file. */
type Mutant = Readonly<{ name: string; file: string; from: string; to: string }>

export const REQUIRED: readonly Mutant[] = [
  {
    name: 'a level keeps a lot of an order that left it',
    file: 'Book.sol',
    from: 'level.lots -= order.lots;',
    to: 'level.lots -= order.lots - 1;',
  },
  {
    name: "a queue's link leads to an order that left it",
    file: 'Book.sol',
    from: 'market.orders[order.next].prev = order.prev;',
    to: 'market.orders[order.next].prev = id;',
  },
  {
    name: 'funding flows the other way',
    file: 'Positions.sol',
    from: 'cash = -fundingDue(position, fundingIndex);',
    to: 'cash = fundingDue(position, fundingIndex);',
  },
]

const FURTHER: readonly Mutant[] = [
  {
    name: 'an upper bit of the tick set outlives its word',
    file: 'Ticks.sol',
    from: 'set.top &= ~_bit(tick >> 16);',
    to: '',
  },
  {
    name: 'a liquidation fee is paid out in full twice',
    file: 'Liquidation.sol',
    from: '_pay(INSURANCE_ACCOUNT, fee - reward);',
    to: '_pay(INSURANCE_ACCOUNT, fee);',
  },
  {
    name: 'insurance pays what it should get',
    file: 'Liquidation.sol',
    from: '_pay(distress.account, -share);\n        _pay(INSURANCE_ACCOUNT, share);',
    to: '_pay(distress.account, share);\n        _pay(INSURANCE_ACCOUNT, -share);',
  },
  {
    name: 'whoever is near its maintenance margin is liquidated',
    file: 'Liquidation.sol',
    from: 'account != INSURANCE_ACCOUNT && health.equity < int256(health.maintenanceMargin)',
    to: 'account != INSURANCE_ACCOUNT && health.equity < int256(2 * health.maintenanceMargin)',
  },
  {
    name: 'a salt is never spent',
    file: 'Signed.sol',
    from: '_salts[account][salt >> 8] = spent | bit;',
    to: '',
  },
  {
    name: "anybody's key signs for an account",
    file: 'Accounts.sol',
    from: 'return walletOf[account] == wallet && entry.expiry != WALLET ? account : 0;',
    to: 'return entry.expiry != WALLET ? _entries[wallet].account : 0;',
  },
  {
    name: 'a revoked key revives',
    file: 'Accounts.sol',
    from: 'require(entry.expiry != DEAD, KeyDead(key));\n        }',
    to: '}',
  },
  {
    name: 'the initial margin is not asked for',
    file: 'Perps.sol',
    from: 'else _requireInitial(health, position, placement);',
    to: 'else if (health.equity < 0) _requireInitial(health, position, placement);',
  },
  {
    name: 'a reduce-only maker grows a position',
    file: 'Perps.sol',
    from: 'if (closable < offered) (filled',
    to: 'if (closable == 0) (filled',
  },
  {
    name: 'risk grows on a stale index',
    file: 'Perps.sol',
    from: 'require(!placement.quote.stale, IndexStale(placement.quote.asset, placement.quote.indexTime));',
    to: '',
  },
]

/** Some of these bugs need somebody to fall, which takes more than the few runs of `npm test`. */
const RUNS = 40
const TEST = ['test', '--match-path', 'test/*/invariant/*', '--match-test', 'invariant_'] as const

/** A copy of the contracts that compiles fast, compiled once as it is. */
function copy(): string {
  const home = mkdtempSync(join(tmpdir(), 'openvenue-mutants-'))
  symlinkSync(resolve(ROOT, '..', 'node_modules'), join(home, 'node_modules'))
  const folder = join(home, 'contracts')
  for (const part of ['src', 'test', 'lib', 'tools', 'foundry.toml', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true, verbatimSymlinks: true })
  }
  const config = join(folder, 'foundry.toml')
  const fast = readFileSync(config, 'utf8').replace('\nvia_ir = true', '\nvia_ir = false')
  // Without IR an engine is larger than a chain takes.
  writeFileSync(
    config,
    fast.replace('\noptimizer = ', '\ncode_size_limit = 10000000\noptimizer = '),
  )
  return home
}

/** What the invariants say of the copy: the first reason, or null when they find nothing. */
function findBug(folder: string): string | null {
  const env = {
    ...process.env,
    FOUNDRY_INVARIANT_RUNS: String(RUNS),
    FOUNDRY_INVARIANT_SHRINK_RUN_LIMIT: '0',
  }
  const options = { cwd: folder, env }
  const build = runForge(['build', 'src'], options)
  if (build.status !== 0)
    throw new Error(`the copy does not compile\n${build.stdout}${build.stderr}`)
  const { status, stdout, stderr } = runForge(TEST, options)
  if (status === 0) return null
  const reason = /\[FAIL: ([^\]]*)\]/.exec(String(stdout))?.[1]
  if (reason === undefined) throw new Error(`the tests did not run\n${stdout}${stderr}`)
  return reason
}

function plant(folder: string, { file, from, to }: Mutant): () => void {
  const path = join(folder, 'src', file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${file}: stands not once: ${from}`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  return () => writeFileSync(path, source)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Plants each and returns how many are not found. */
export function plantEach(mutants: readonly Mutant[]): number {
  const home = copy()
  let missed = 0
  try {
    const folder = join(home, 'contracts')
    const sound = findBug(folder)
    if (sound !== null) throw new Error(`the invariants fail without any planted bug: ${sound}`)
    const width = Math.max(...mutants.map(({ name }) => name.length))
    for (const mutant of mutants) {
      const restore = plant(folder, mutant)
      const reason = findBug(folder)
      restore()
      if (reason === null) missed += 1
      say(`${mutant.name.padEnd(width)}  ${reason === null ? 'NOT FOUND' : `found: ${reason}`}`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  say(`${mutants.length - missed} of ${mutants.length} planted bugs found`)
  return missed
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = plantEach([...REQUIRED, ...FURTHER]) === 0 ? 0 : 1
}
