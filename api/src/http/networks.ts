// Networks that an API key may be used from: their text form, and membership.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** `10.0.0.0/8` and `2001:db8::/32`; a single address has all bits. */
type IpNetwork = Readonly<{ address: ipaddr.IPv4 | ipaddr.IPv6; bits: number }>

const BITS = { ipv4: 32, ipv6: 128 } as const
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96
/** Networks cached by text, since every request of their keys is checked against them. */
const NETWORKS_MAX = 4096

/**
 * Returns an address or network in its canonical form; undefined for an invalid one. A network with
 * host bits other than 0 is invalid, with the enclosing network as `nearest`.
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

function writeNetwork(address: IpNetwork['address'], bits: number): string {
  if (bits === BITS[address.kind()]) return address.toString()
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${kind.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
}

/** Returns whether a client may use a key with the list `networks`; an empty list allows all. */
export const isInNetworks = (client: string, networks: readonly string[]): boolean =>
  networks.length === 0 || (isIP(client) !== 0 && isWithin([client], networks))

/** Returns whether each of `inner` lies in one of `outer`; both in canonical form. */
export const isWithin = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.every((one) => outer.some((other) => contains(networkOf(other), networkOf(one))))

function contains(outer: IpNetwork, { address, bits }: IpNetwork): boolean {
  if (bits < outer.bits || address.kind() !== outer.address.kind()) return false
  return (address as ipaddr.IPv4).match(outer.address as ipaddr.IPv4, outer.bits)
}

const networkOf = (text: string): IpNetwork => parsed.memo(text)

const parsed = new LRUCache<string, IpNetwork>({
  max: NETWORKS_MAX,
  memoMethod: (text) => {
    const [given = '', suffix] = text.split('/')
    const address = ipaddr.process(given)
    return { address, bits: suffix === undefined ? BITS[address.kind()] : Number(suffix) }
  },
})
