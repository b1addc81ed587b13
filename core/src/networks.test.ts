import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NETWORK_NAMES, NETWORKS } from './networks.ts'

test('mainnet is chain 5042, where trading is coming soon', () => {
  assert.equal(NETWORKS.mainnet.chainId, 5042)
  assert.equal(NETWORKS.mainnet.trading, 'coming_soon')
})

test('devnet and testnet share a chain id but not a domain name', () => {
  assert.equal(NETWORKS.devnet.chainId, NETWORKS.testnet.chainId)
  const names = NETWORK_NAMES.map((name) => NETWORKS[name].domainName)
  assert.equal(new Set(names).size, NETWORK_NAMES.length)
})

test('a network with a WebSocket node has an RPC node too', () => {
  for (const name of NETWORK_NAMES) {
    const { rpcUrls, wsUrls } = NETWORKS[name]
    assert.ok(wsUrls.length <= rpcUrls.length, name)
  }
})

// Facts published by others: Arc's documents and Circle's lists of tokens.
test("Arc's networks match Arc's documents: nodes, explorer, faucet, coin, tokens and fees", () => {
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
  // We know of no EURC on mainnet.
  assert.deepEqual(mainnet.tokens, [usdc])
  for (const { currency, feeFloorWei, finalityBlocks } of [testnet, mainnet]) {
    assert.deepEqual(currency, { symbol: 'USDC', decimals: 18 })
    assert.equal(feeFloorWei, 20_000_000_000n)
    assert.equal(finalityBlocks, 2)
  }
})
