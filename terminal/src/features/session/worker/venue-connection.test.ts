import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Rest } from 'openvenue'
import { SigningVenue } from 'openvenue/signing'
import { type ChainVenue, VenueConnection } from './venue-connection.ts'

const venueOf = (name: string, rpcUrls: readonly string[]) =>
  new SigningVenue(
    {
      network: { name, chain_id: 31337, rpc_urls: rpcUrls, explorer_url: null },
      contracts: {},
      tokens: [],
    } as never,
    [],
  )
const REST = new Rest({ url: 'http://127.0.0.1:1' })
const AWAY: ChainVenue = { venue: venueOf('chain 31337', []), ask: async () => '0x1' }

describe('the connection of an account', () => {
  test('an account uses the chain once the page shows it, if the API never answers', async () => {
    let away: ChainVenue | undefined
    let requests = 0
    const connection = new VenueConnection(REST, {
      loadVenue: () => {
        requests++
        return new Promise(() => {})
      },
      away: () => away,
    })
    const all = [connection.open(), connection.open()]
    away = AWAY
    for (const { network, node } of await Promise.all(all)) {
      assert.equal(network.name, 'chain 31337')
      assert.equal(node, AWAY.ask)
    }
    assert.equal(requests, 1)
  })

  test('an account uses the API if it answers, and tries it again if it did not', async () => {
    let answers = 0
    const connection = new VenueConnection(REST, {
      loadVenue: async () => {
        answers++
        if (answers === 1) throw new Error('down')
        return venueOf('devnet', ['http://127.0.0.1:1'])
      },
      away: () => undefined,
    })
    await assert.rejects(connection.open(), /down/)
    const { network, node } = await connection.open()
    assert.equal(network.name, 'devnet')
    assert.notEqual(node, undefined)
    await connection.open()
    assert.equal(answers, 2)
  })
})
