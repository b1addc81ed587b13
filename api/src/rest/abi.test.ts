// ABIs as JSON, by name: those of every contract that clients call, and no other file.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Problem } from '@openvenue/wire/field'
import { funded } from '../../test/funded.ts'
import { type ScenarioNode, scenarioNode } from '../../test/scenario-node.ts'
import { ABI_NAMES, abiFile, abiUrl } from './abi-files.ts'

let node: ScenarioNode
before(async () => {
  node = await scenarioNode(funded('ETH-USDC').blocks())
})
after(() => node.close())

type Item = Readonly<{ type: string; name?: string }>
const namesIn = async (url: string, type: string) =>
  ((await node.get(url)).body as Item[])
    .filter((item) => item.type === type)
    .map(({ name = '' }) => name)

describe('GET /abi/{name}.json', () => {
  test('GET /abi/{name}.json is the ABI of the build as a JSON array, which may be kept for a while', async () => {
    for (const name of ABI_NAMES) {
      const { status, text, headers } = await node.get(abiUrl(name))
      const file = new URL(`../../../contracts/abi/${abiFile(name)}`, import.meta.url)
      assert.deepEqual([status, text], [200, readFileSync(file, 'utf8')], name)
      assert.equal(headers['cache-control'], 'public, max-age=900', name)
      assert.match(String(headers['content-type']), /^application\/json/, name)
      assert.ok(Array.isArray(JSON.parse(text)), name)
    }
  })

  test('GET /abi/{name}.json of an engine includes the contracts it delegates to: functions, events and errors', async () => {
    for (const [url, type, names] of [
      ['/abi/perps.json', 'function', ['place', 'placeSigned', 'list', 'liquidate', 'setGuardian']],
      ['/abi/perps.json', 'event', ['Placed', 'Filled', 'Listed', 'Liquidated']],
      ['/abi/perps.json', 'error', ['SaltSpent', 'SignerUnfit']],
      ['/abi/spot.json', 'function', ['place', 'cancelAllSigned', 'list', 'setOutflowLimit']],
      ['/abi/erc20.json', 'function', ['approve', 'transfer', 'balanceOf', 'decimals']],
    ] as const) {
      const found = await namesIn(url, type)
      for (const name of names) assert.ok(found.includes(name), `${url} ${type} ${name}`)
    }
    assert.ok(!(await namesIn('/abi/erc20.json', 'function')).includes('mint'))
  })

  for (const file of [
    'perps',
    'Perps.json',
    'perps-admin.json',
    'nowhere.json',
    'perps.ts',
    '__proto__',
    'constructor',
    '..%2fperps.json',
    '..%2f..%2fpackage.json',
    '%2e%2e%2fabi%2fperps.json',
    'perps.json%00',
  ])
    test(`GET /abi/{name}.json is 404 with every name for ${file}`, async () => {
      const { status, body } = await node.get(`/abi/${file}`)
      const { error, details } = body as Problem
      assert.deepEqual([status, error], [404, 'ABI_NOT_FOUND'])
      assert.deepEqual(details?.[0]?.allowed, ABI_NAMES.map(abiFile))
    })
})
