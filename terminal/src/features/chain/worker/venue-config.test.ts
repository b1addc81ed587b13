import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readChainConfig } from './venue-config.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const contracts = {
  accounts: address('A'),
  spot: address('b'),
  perps: address('c'),
  lens: address('d'),
}

describe('the chain settings of config.json', () => {
  test('the chain settings are empty if config.json has none', () => {
    const nothing = { rpcUrl: undefined, chainId: undefined, contracts: undefined }
    assert.deepEqual(readChainConfig({ apiUrl: '' }), nothing)
    assert.deepEqual(readChainConfig({ apiUrl: '', rpcUrl: '' }), nothing)
  })

  test('the chain settings of config.json are a node, a chain and contracts, in lower case', () => {
    const config = { rpcUrl: 'https://node.example/key', chainId: 5, contracts }
    assert.deepEqual(readChainConfig(config), {
      ...config,
      contracts: { ...contracts, accounts: address('a'), fromBlock: 0 },
    })
  })

  test('a malformed part of config.json rejects all chain settings, so that no pin is lost', () => {
    const wrong = [
      null,
      { rpcUrl: 'javascript:alert(1)' },
      { rpcUrl: 'node' },
      { chainId: '5' },
      { chainId: 5, contracts: { ...contracts, perps: '0x12' } },
      { chainId: 5, contracts: { ...contracts, lens: undefined } },
      { chainId: 5, contracts: { ...contracts, fromBlock: -1 } },
      { contracts },
    ]
    for (const config of wrong)
      assert.throws(() => readChainConfig(config), { name: 'ConfigError' }, JSON.stringify(config))
  })
})
