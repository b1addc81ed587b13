// An API that names other contracts than before, or than the page's config, gets no signature.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MismatchError, Rest } from 'openvenue'
import type { ChainConfig } from './venue-config.ts'
import { VenuePlaces } from './venue-place.ts'

const API = 'http://127.0.0.1:1'
const NOTHING: ChainConfig = { rpcUrl: undefined, chainId: undefined, contracts: undefined }
const address = (digit: string) => `0x${digit.repeat(40)}`

/** Returns in-memory records that behave like IndexedDB. */
function records() {
  const stored = new Map<string, unknown>()
  return {
    read: async (name: string) => stored.get(name),
    write: async (name: string, record: unknown) => {
      stored.set(name, structuredClone(record))
    },
  }
}

type VenueClaim = Readonly<{ perps?: string; network?: string; chainId?: number }>

/** Returns a client of a venue with these contracts. */
const restOf = ({ perps = address('c'), network = 'base', chainId = 8453 }: VenueClaim = {}) =>
  new Rest({
    url: API,
    fetch: async (url) => {
      const contract = (at: string) => ({ address: at, from_block: 7 })
      const info = {
        network: { name: network, chain_id: chainId, rpc_urls: ['https://node.example'] },
        contracts: {
          accounts: contract(address('A')),
          spot: contract(address('b')),
          perps: contract(perps),
          lens: contract(address('d')),
          oracles: [],
        },
        tokens: [],
      }
      const text = async () => JSON.stringify(url.endsWith('/info') ? info : [])
      return { status: 200, headers: { get: () => 'application/json' }, text }
    },
  })

describe('the contracts of a venue', () => {
  test('the contracts of a venue are stored from a visit, for when its API is down', async () => {
    const stored = records()
    assert.equal(await new VenuePlaces(stored, API, NOTHING).read(), undefined)
    await new VenuePlaces(stored, API, NOTHING).load(restOf())
    assert.deepEqual(await new VenuePlaces(stored, API, NOTHING).read(), {
      ...{ network: 'base', chainId: 8453, rpcUrls: ['https://node.example'] },
      contracts: {
        ...{ accounts: address('a'), spot: address('b'), perps: address('c') },
        ...{ lens: address('d'), fromBlock: 7 },
      },
    })
    assert.equal(await new VenuePlaces(stored, `${API}0`, NOTHING).read(), undefined)
  })

  test('the stored contracts of a venue do not change when the API names others', async () => {
    const stored = records()
    const places = new VenuePlaces(stored, API, NOTHING)
    await places.load(restOf())
    const lies: readonly VenueClaim[] = [
      { perps: address('e') },
      { chainId: 1 },
      { perps: address('e'), network: 'devnet' },
    ]
    for (const lie of lies) await assert.rejects(places.load(restOf(lie)), MismatchError)
    assert.equal((await places.read())?.contracts.perps, address('c'))
  })

  test('the contracts of a venue are those of config.json, from the first visit on', async () => {
    const contracts = {
      ...{ accounts: address('a'), spot: address('b'), perps: address('e') },
      ...{ lens: address('f'), fromBlock: 3 },
    }
    const config = { rpcUrl: 'https://own.example/', chainId: 8453, contracts }
    const places = new VenuePlaces(records(), API, config)
    await assert.rejects(places.load(restOf()), MismatchError)
    await places.load(restOf({ perps: address('e') }))
    const place = await places.read()
    assert.deepEqual(place?.rpcUrls, ['https://own.example/', 'https://node.example'])
    assert.deepEqual(place?.contracts, contracts)
  })

  test('the contracts of a devnet may change, as its money has no value', async () => {
    const places = new VenuePlaces(records(), API, NOTHING)
    await places.load(restOf({ network: 'devnet', chainId: 31337 }))
    await places.load(restOf({ network: 'devnet', chainId: 31337, perps: address('e') }))
    assert.equal((await places.read())?.contracts.perps, address('e'))
  })
})
