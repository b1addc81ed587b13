// Networks that an API key may be used from: how they are written, and what is in them.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** `10.0.0.0/8` and `2001:db8::/32`; of one address alone it has all bits. */
type Network = Readonly<{ address: ipaddr.IPv4 | ipaddr.IPv6; bits: number }>

const BITS = { ipv4: 32, ipv6: 128 } as const
/** Bits before the IPv4 address in one that is written as IPv6. */
const MAPPED_BITS = 96
/** Networks remembered by their text: they are compared with every request of their keys. */
const NETWORKS_MAX = 4096

/**
 * Returns an address or network as it is kept; undefined for what is none. One whose host bits are
 * not 0 is none, and `nearest` the network that it is in.
 */
export function canonicalNetwork(
  text: string,
): Readonly<{ network: string }> | Readonly<{ nearest?: string }> {
  const [, given = '', suffix] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (isIP(given) === 0) return {}
  const address = ipaddr.process(given)
  const isMapped = isIP(given) === 6 && address.kind() === 'ipv4'
  const max = BITS[address.kind()]
  const bits = suffix === undefined ? max : Number(suffix) - (isMapped ? MAPPED_BITS : 0)
  if (bits < 0 || bits > max) return bits > max ? { nearest: address.toString() } : {}
  const network = writeNetwork(address, bits)
  return bits === max || network === `${address}/${bits}` ? { network } : { nearest: network }
}

function writeNetwork(address: Network['address'], bits: number): string {
  if (bits === BITS[address.kind()]) return address.toString()
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${kind.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

/** Whether a client may use a key with the list `networks`; an empty one stands for anywhere. */
export const isInNetworks = (client: string, networks: readonly string[]): boolean =>
  networks.length === 0 || (isIP(client) !== 0 && isWithin([client], networks))

/** Whether each of `inner` lies in one of `outer`; both as `canonicalNetwork` returns them. */
export const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.every((one) => outer.some((other) => contains(networkOf(other), networkOf(one))))

function contains(outer: Network, { address, bits }: Network): boolean {
  if (bits < outer.bits || address.kind() !== outer.address.kind()) return false
  return (address as ipaddr.IPv4).match(outer.address as ipaddr.IPv4, outer.bits)
}

const networkOf = (text: string): Network => parsed.memo(text)

const parsed = new LRUCache<string, Network>({
  max: NETWORKS_MAX,
  memoMethod: (text) => {
    const [given = '', suffix] = text.split('/')
    const address = ipaddr.process(given)
    return { address, bits: suffix === undefined ? BITS[address.kind()] : Number(suffix) }
  },
})
