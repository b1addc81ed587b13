// Each member of a network's preset can be set by hand, in the service that uses it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NETWORK_NAMES, NETWORKS, type Network } from '@openvenue/core/networks'
import { ConfigInvalid, readNetwork } from '@openvenue/runtime/environment'
import { parseConfig as parseApi } from '../api/src/node/config.ts'
import { parseConfig as parseIndexer } from '../indexer/src/config.ts'
import { parseConfig as parseKeeper } from '../keeper/src/config.ts'

const NEEDED = {
  DATABASE_URL: 'postgres://localhost/venue',
  KEEPER_KEY: `0x${'1f'.repeat(32)}`,
  KEEPER_PRICE_URL: 'http://localhost/prices',
}

const read = (env: Readonly<Record<string, string>>) => ({
  api: parseApi({ ...NEEDED, ...env }),
  indexer: parseIndexer({ ...NEEDED, ...env }),
  keeper: parseKeeper({ ...NEEDED, ...env }),
})

type NetworkConfig = ReturnType<typeof read>
type ByHand = Readonly<{
  env: Readonly<Record<string, string>>
  of: (config: NetworkConfig) => unknown
  is: unknown
}>

const URL = 'https://other.example'
const WEI = 31_500_000_000n
const both = <T>(value: T) => [value, value]

/** The tokens of a venue are in its venue.json, where an address is set by hand. */
const BY_HAND: Readonly<Record<Exclude<keyof Network, 'tokens'>, ByHand>> = {
  chainId: {
    env: { CHAIN_ID: '7' },
    of: ({ api, indexer, keeper }) => [api.settings.chainId, indexer.chainId, keeper.chainId],
    is: [7, 7, 7],
  },
  rpcUrls: {
    env: { RPC_URL: URL, PUBLIC_RPC_URL: URL },
    of: ({ api, indexer, keeper }) =>
      [api.rpcUrls, api.publicRpcUrls, indexer.rpcUrls, keeper.rpcUrls].flat(),
    is: [URL, URL, URL, URL],
  },
  wsUrls: {
    env: { RPC_WS_URL: 'wss://other.example' },
    of: ({ indexer }) => indexer.rpcWsUrls,
    is: ['wss://other.example'],
  },
  explorerUrl: { env: { EXPLORER_URL: URL }, of: ({ api }) => api.explorerUrl, is: URL },
  faucetUrl: { env: { FAUCET_URL: URL }, of: ({ api }) => api.gas.faucetUrl, is: URL },
  finalityBlocks: {
    env: { FINALITY_BLOCKS: '9' },
    of: ({ indexer }) => indexer.finalityBlocks,
    is: 9,
  },
  domainName: {
    env: { TYPED_DATA_DOMAIN: 'ours' },
    of: ({ api }) => api.settings.domainName,
    is: 'ours',
  },
  currency: {
    env: { CURRENCY_SYMBOL: 'GAS', CURRENCY_DECIMALS: '12' },
    of: ({ api }) => api.gas.currency,
    is: { symbol: 'GAS', decimals: 12 },
  },
  feeFloorWei: {
    env: { FEE_FLOOR_GWEI: '31.5' },
    of: ({ api, keeper }) => [api.gas.feeFloorWei, keeper.feeFloor],
    is: both(WEI),
  },
  tipWei: { env: { FEE_TIP_GWEI: '31.5' }, of: ({ api }) => api.gas.tipWei, is: WEI },
  isGasAsked: {
    env: { GAS_ESTIMATES: 'off', FEE_TIP_GWEI: '31.5' },
    of: ({ keeper }) => keeper.gasTip,
    is: WEI,
  },
  trading: {
    env: { TRADING: 'cancel_only' },
    of: ({ api }) => api.settings.trading,
    is: 'cancel_only',
  },
}

describe('what a network presets', () => {
  for (const [member, { env, of, is }] of Object.entries(BY_HAND))
    test(`${Object.keys(env).join(' and ')} override the preset ${member} of a network`, () => {
      for (const name of NETWORK_NAMES) {
        // The main network has no public node.
        const NETWORK = { NETWORK: name, ...(name !== 'testnet' && { RPC_URL: URL }) }
        assert.notDeepEqual(of(read({ NETWORK: name })), is)
        assert.deepEqual(of(read({ ...NETWORK, ...env })), is)
      }
    })

  test('every member of a network is a preset setting or a token', () => {
    const members = [...Object.keys(BY_HAND), 'tokens'].toSorted()
    for (const name of NETWORK_NAMES)
      assert.deepEqual(Object.keys(NETWORKS[name]).toSorted(), members)
  })

  const wrong = [
    ['FEE_FLOOR_GWEI', 'twenty'],
    ['FEE_FLOOR_GWEI', '-1'],
    ['FEE_TIP_GWEI', '0.0000000001'],
    ['GAS_ESTIMATES', 'sometimes'],
    ['CURRENCY_DECIMALS', '37'],
    ['FAUCET_URL', 'ftp://faucet.example'],
  ] as const
  for (const [name, value] of wrong)
    test(`a network with the ${name} ${value} is refused`, () => {
      assert.throws(
        () => readNetwork({ [name]: value }),
        (error) => error instanceof ConfigInvalid && error.message.startsWith(name),
      )
    })
})
