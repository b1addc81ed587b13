// Finds the client address of a request, for rate limits.
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Longer than any address; a forged header must not fill the memory. */
const ADDRESS_LENGTH_MAX = 64
/** Groups of 16 bits in the network part of an IPv6 address that one customer has. */
const NETWORK_GROUPS = 4
/** Networks cached by address: parsing takes longer than counting a request. */
const NETWORKS_MAX = 4096

/**
 * Returns the address of the client behind `proxyHops` trusted proxies, for IPv6 its /64. Each
 * proxy appends its peer to X-Forwarded-For, so only that many entries from the right are trusted.
 */
export const clientAddress = (request: IncomingMessage, proxyHops: number): string =>
  networkAddress(believedAddress(request, proxyHops))

/**
 * Returns the same address unshortened, for address lists: all of an IPv6 address, without a port.
 * An invalid address is returned unchanged.
 */
export function exactClientAddress(request: IncomingMessage, proxyHops: number): string {
  const address = withoutPort(believedAddress(request, proxyHops))
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

function believedAddress(request: IncomingMessage, proxyHops: number): string {
  const address = proxyAddr(request, (_address, hop) => hop < proxyHops) ?? ''
  return address.trim().slice(0, ADDRESS_LENGTH_MAX)
}

/**
 * Returns the network that an address counts as: IPv4 as it is, also when mapped into IPv6; for
 * IPv6 the /64, since a customer with one address has 2^64 of them. A port, which some proxies add,
 * is ignored. An invalid address is returned unchanged.
 */
export function networkAddress(address: string): string {
  // Fast path, since this is called for every request.
  return address.includes(':') ? networks.memo(address) : address
}

const networks = new LRUCache<string, string>({ max: NETWORKS_MAX, memoMethod: parseNetwork })

function withoutPort(address: string): string {
  const [, ipv4 = undefined] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? []
  return ipv4 ?? /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address
}

function parseNetwork(address: string): string {
  const bare = withoutPort(address)
  if (!ipaddr.isValid(bare)) return address
  const parsed = ipaddr.process(bare)
  if (!('parts' in parsed)) return parsed.toString()
  const network = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}
