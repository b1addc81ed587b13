// Knows the networks by name: what a chain is and what the venue does on it. Whatever reads
// `NETWORK` reads it here; each member can be set by hand where it is used.

export const NETWORK_NAMES = ['devnet', 'testnet', 'mainnet'] as const
export type NetworkName = (typeof NETWORK_NAMES)[number]

/** `live`: orders are taken. `coming_soon`: everything but new orders works. */
export type TradingPreset = 'live' | 'coming_soon'

/** A token that the chain itself has: at the same address for everybody. */
export type KnownToken = Readonly<{ symbol: string; address: `0x${string}`; decimals: number }>

/** What a client has to know to get and pay for gas. */
export type GasTerms = Pick<Network, 'faucetUrl' | 'currency' | 'feeFloorWei' | 'tipWei'>

export type Network = Readonly<{
  chainId: number
  /** Nodes that anybody may ask; none: one of this machine, or that the operator rents. */
  rpcUrls: readonly string[]
  wsUrls: readonly string[]
  explorerUrl: string | undefined
  faucetUrl: string | undefined
  /** The depth below which nothing is undone. */
  finalityBlocks: number
  /** Name in the domain of what is signed: no signature of one network is good on another. */
  domainName: string
  /** What gas is paid in. */
  currency: Readonly<{ symbol: string; decimals: number }>
  tokens: readonly KnownToken[]
  /** A transaction that offers less for a unit of gas is not taken, whatever the base fee. */
  feeFloorWei: bigint
  /** Offered beyond the base fee. */
  tipWei: bigint
  /** Whether its nodes are asked what gas a call takes and what tip is usual. */
  isGasAsked: boolean
  trading: TradingPreset
}>

const GWEI = 1_000_000_000n

/**
 * The chain's own coin, seen as a token: the balance is that of the coin, cut to six decimals.
 * Every movement is logged by the chain (EIP-7708: a `Transfer` of `0xff…fe`, 18 decimals), one
 * by the token's functions by the token too. The venue reads neither: what its own contracts say
 * counts, and what pools say of their reserves.
 */
const ARC_USDC: KnownToken = {
  symbol: 'USDC',
  address: '0x3600000000000000000000000000000000000000',
  decimals: 6,
}

/** What both of Arc's chains have alike. A block is final when it is seen. */
const ARC = {
  finalityBlocks: 2,
  currency: { symbol: 'USDC', decimals: 18 },
  feeFloorWei: 20n * GWEI,
  tipWei: GWEI,
  // Estimates and prices of its nodes have complaints.
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
