import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awayVenue } from './chain-mode.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const

test('a venue whose API is down accepts no orders, whatever it reported before', () => {
  const contracts = {
    ...{ accounts: address('a'), spot: address('b'), perps: address('c'), lens: address('d') },
    fromBlock: 7,
  }
  const place = { network: 'base', chainId: 8453, rpcUrls: ['https://node.example'], contracts }
  const { info } = awayVenue(place, [])
  assert.equal(info.network.trading, 'cancel_only')
  assert.deepEqual([info.network.chain_id, info.contracts.perps?.address], [8453, address('c')])
})
