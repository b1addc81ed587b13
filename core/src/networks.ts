// Defines the networks by name: the chain and the venue's settings on it. Every reader of `NETWORK`
// uses this file; each setting can be overridden where it is used.

export const NETWORK_NAMES = ['devnet', 'testnet', 'mainnet'] as const
export type NetworkName = (typeof NETWORK_NAMES)[number]

/** `live`: orders are accepted. `coming_soon`: everything works except new orders. */
type TradingPreset = 'live' | 'coming_soon'

/** A token that is part of the chain, at a fixed address. */
type KnownToken = Readonly<{ symbol: string; address: `0x${string}`; decimals: number }>

/** Data that a client needs to obtain and pay for gas. */
export type GasTerms = Pick<Network, 'faucetUrl' | 'currency' | 'feeFloorWei' | 'tipWei'>

export type Network = Readonly<{
  chainId: number
  /** Public nodes; empty where the node is local or rented by the operator. */
  rpcUrls: readonly string[]
  wsUrls: readonly string[]
  explorerUrl: string | undefined
  faucetUrl: string | undefined
  /** Depth from which blocks are final. */
  finalityBlocks: number
  /** Name in the EIP-712 domain: a signature for one network is invalid on another. */
  domainName: string
  /** Currency in which gas is paid. */
  currency: Readonly<{ symbol: string; decimals: number }>
  tokens: readonly KnownToken[]
  /** Minimum fee per gas; a transaction that offers less is rejected regardless of the base fee. */
  feeFloorWei: bigint
  /** Offered on top of the base fee. */
  tipWei: bigint
  /** Query the nodes for gas estimates and the usual tip. */
  isGasAsked: boolean
  trading: TradingPreset
}>

const GWEI = 1_000_000_000n

/**
 * The native coin, exposed as a token: the token balance is the coin balance truncated to six
 * decimals. The chain logs every transfer (EIP-7708: a `Transfer` of `0xff…fe`, 18 decimals); a
 * transfer through the token's functions is also logged by the token. The venue reads neither: only
 * events of its own contracts count, and the reserves that pools report.
 */
const ARC_USDC: KnownToken = {
  symbol: 'USDC',
  address: '0x3600000000000000000000000000000000000000',
  decimals: 6,
}

/** Settings shared by both of Arc's chains. A block is final as soon as it is seen. */
const ARC = {
  finalityBlocks: 2,
  currency: { symbol: 'USDC', decimals: 18 },
  feeFloorWei: 20n * GWEI,
  tipWei: GWEI,
  // Its nodes' gas estimates and gas prices are unreliable.
  isGasAsked: false,
} as const

export const NETWORKS: Readonly<Record<NetworkName, Network>> = {
  devnet: {
    chainId: 5042002,
    rpcUrls: [],
    wsUrls: [],
    explorerUrl: undefined,
    faucetUrl: undefined,
    finalityBlocks: 64,
    domainName: 'openvenue',
    currency: { symbol: 'ETH', decimals: 18 },
    tokens: [],
    feeFloorWei: 0n,
    tipWei: GWEI,
    isGasAsked: true,
    trading: 'live',
  },
  testnet: {
    ...ARC,
    chainId: 5042002,
    rpcUrls: ['https://rpc.testnet.arc.network'],
    wsUrls: ['wss://rpc.testnet.arc.network'],
    explorerUrl: 'https://testnet.arcscan.app',
    faucetUrl: 'https://faucet.circle.com',
    domainName: 'openvenue-testnet',
    tokens: [
      ARC_USDC,
      { symbol: 'EURC', address: '0x89B50855Aa3bE2F677cD6303Cec089B5F319D72a', decimals: 6 },
    ],
    trading: 'live',
  },
  mainnet: {
    ...ARC,
    chainId: 5042,
    rpcUrls: [],
    wsUrls: [],
    explorerUrl: undefined,
    faucetUrl: undefined,
    domainName: 'openvenue-mainnet',
    tokens: [ARC_USDC],
    trading: 'coming_soon',
  },
}
