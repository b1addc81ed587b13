// The venue as wallets need it while its API is away: of its chain alone.
import { SigningVenue } from 'openvenue/signing'
import type { Place } from './venue-place.ts'

type Tokens = readonly Readonly<{ address: string; symbol: string; decimals: number }>[]

/** Returns what deposits and withdrawals are made of. Nothing else of it is known. */
export function awayVenue(place: Place, tokens: Tokens): SigningVenue {
  const { contracts, network: name, chainId, rpcUrls, gas } = place
  const { accounts, spot, perps } = contracts
  // Whatever the API said last: nobody takes orders while it is away.
  const trading = 'cancel_only'
  const network = { name, chain_id: chainId, rpc_urls: rpcUrls, trading, ...gas }
  const named = Object.entries({ accounts, spot, perps }).map(([key, address]) => [
    key,
    { address },
  ])
  const info = { network, contracts: Object.fromEntries(named), tokens }
  return new SigningVenue(info as unknown as SigningVenue['info'], [])
}
