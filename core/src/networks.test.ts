import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NETWORK_NAMES, NETWORKS } from './networks.ts'

test('the main network is chain 5042, and trading there is coming soon', () => {
  assert.equal(NETWORKS.mainnet.chainId, 5042)
  assert.equal(NETWORKS.mainnet.trading, 'coming_soon')
})

test('the devnet and the test network share a chain id, and no name of a domain', () => {
  assert.equal(NETWORKS.devnet.chainId, NETWORKS.testnet.chainId)
  const names = NETWORK_NAMES.map((name) => NETWORKS[name].domainName)
  assert.equal(new Set(names).size, NETWORK_NAMES.length)
})

test('a network that names a subscription names a node for it', () => {
  for (const name of NETWORK_NAMES) {
    const { rpcUrls, wsUrls } = NETWORKS[name]
    assert.ok(wsUrls.length <= rpcUrls.length, name)
  }
})
