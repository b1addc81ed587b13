// A rebuild equals the committed code, and a changed source is found. REBUILD=all compiles every
// contract; by default only one that takes seconds.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { NotCompiled } from '@openvenue/contracts/scripts/compile'
import { type CompilerInput, readCompilerInput } from '@openvenue/contracts/scripts/compiler-input'
import { NETWORKS } from '@openvenue/core/networks'
import { smallVenue, writeVenue } from '../../test/venue.ts'
import { readVenueFile } from '../config/read-venue.ts'
import { placeContracts } from '../plan/contracts.ts'
import { rebuild } from './rebuild.ts'

const wallets = [...'0123456789'].map((digit) => `0x${digit.repeat(40)}` as const)
const { path, folder } = writeVenue(smallVenue({ wallets, eth: `0x${'e'.repeat(40)}` }))
after(() => rmSync(folder, { recursive: true }))
const all = placeContracts(readVenueFile(path, NETWORKS.testnet), {
  deployer: `0x${'d'.repeat(40)}`,
  factory: 'create2',
  nonce: 0,
})
/** Contracts of the same source. */
const TREASURIES = ['insurance', 'fees']
const treasuries = all.filter(({ name }) => TREASURIES.includes(name))
const contracts = process.env.REBUILD === 'all' ? all : treasuries

const input = readCompilerInput()

function withSource(file: string, change: (content: string) => string): CompilerInput {
  const content = change(input.sources[file]?.content ?? '')
  assert.notEqual(content, input.sources[file]?.content)
  return { ...input, sources: { ...input.sources, [file]: { content } } }
}

describe('a rebuild', () => {
  test(`a rebuild gives the committed code of ${contracts.map(({ name }) => name).join(', ')}`, async () => {
    const { differences, compiler } = await rebuild(contracts)
    assert.deepEqual(differences, [])
    assert.match(compiler, /^0\.8\.\d+\+commit\.[0-9a-f]{8}$/)
  })

  test('a rebuild of a source with an inverted condition names every contract of it', async () => {
    const turned = withSource('src/Treasury.sol', (content) =>
      content.replace('target.code.length != 0', 'target.code.length == 0'),
    )
    const { differences } = await rebuild(treasuries, turned)
    assert.deepEqual(
      differences.map(({ subject }) => subject),
      TREASURIES.map((name) => `committed code of ${name}`),
    )
  })

  test('a rebuild of an invalid source reports the position of the error', async () => {
    const broken = withSource('src/Owned.sol', (content) => content.replace('require(', 'requite('))
    await assert.rejects(rebuild(treasuries, broken), (error) => {
      assert.ok(error instanceof NotCompiled)
      assert.match(error.message, /src\/Owned\.sol:\d+/)
      return true
    })
  })

  test('a rebuild includes the contracts and their imports, but no tests and no private paths', () => {
    const paths = Object.keys(input.sources)
    assert.ok(paths.includes('src/Perps.sol') && paths.includes('lib/solady/accounts/Timelock.sol'))
    assert.ok(paths.every((source) => /^(src|lib)\/[\w/]+\.sol$/.test(source)))
    assert.deepEqual(paths, paths.toSorted())
    const { optimizer, viaIR, evmVersion } = input.settings
    assert.deepEqual([optimizer, viaIR, evmVersion], [{ enabled: true, runs: 200 }, true, 'cancun'])
  })
})
