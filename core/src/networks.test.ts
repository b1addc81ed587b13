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

// What others decide: Arc's documents and Circle's lists of tokens.
test("Arc's networks are where Arc says: nodes, explorer, faucet, coin, tokens and fees", () => {
  const { testnet, mainnet } = NETWORKS
  assert.equal(testnet.chainId, 5042002)
  assert.deepEqual(testnet.rpcUrls, ['https://rpc.testnet.arc.network'])
  assert.deepEqual(testnet.wsUrls, ['wss://rpc.testnet.arc.network'])
  assert.equal(testnet.explorerUrl, 'https://testnet.arcscan.app')
  assert.equal(testnet.faucetUrl, 'https://faucet.circle.com')
  assert.equal(testnet.trading, 'live')
  const usdc = {
    symbol: 'USDC',
    address: '0x3600000000000000000000000000000000000000',
    decimals: 6,
  }
  const eurc = {
    symbol: 'EURC',
    address: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a',
    decimals: 6,
  }
  assert.deepEqual(testnet.tokens, [usdc, eurc])
  // EURC of the main network is none that we know.
  assert.deepEqual(mainnet.tokens, [usdc])
  for (const { currency, feeFloorWei, finalityBlocks } of [testnet, mainnet]) {
    assert.deepEqual(currency, { symbol: 'USDC', decimals: 18 })
    assert.equal(feeFloorWei, 20_000_000_000n)
    assert.equal(finalityBlocks, 2)
  }
})
