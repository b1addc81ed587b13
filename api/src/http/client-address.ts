// Finds who asks, for rate limits.
import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** Longer than any address; what a client forges must not fill the memory. */
const ADDRESS_LENGTH_MAX = 64
/** Groups of 16 bits of an IPv6 address that are the network that one customer has. */
const NETWORK_GROUPS = 4
/** Networks remembered by address: to parse one takes longer than to count a request. */
const NETWORKS_MAX = 4096

/**
 * Returns the address of the client behind `proxyHops` trusted proxies, of IPv6 its /64. Each of
 * them appended to X-Forwarded-For whom it heard from, so that many entries from the right are
 * believed, no more.
 */
export const clientAddress = (request: IncomingMessage, proxyHops: number): string =>
  networkAddress(believedAddress(request, proxyHops))

/**
 * Returns the same address whole, for lists of addresses: of IPv6 all of it, without a port. What
 * is no address is returned as it is.
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
 * Returns what an address is counted as: IPv4 as it is, also when it is written as IPv6; of IPv6
 * the /64, since everybody who has one address there has 2^64 of them. A port, which some proxies
 * add, does not count. What is no address is returned as it is.
 */
export function networkAddress(address: string): string {
  // The common case: this is called with every request.
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
