// Who asks, for rate limits.
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** Longer than any address; what a client forges must not fill the memory. */
const ADDRESS_LENGTH_MAX = 64
/** Groups of 16 bits: of an address, and of the network that one customer has. */
const IPV6_GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * Returns the address of the client behind `proxyHops` trusted proxies, of IPv6 its /64. Each of them
 * appended to X-Forwarded-For whom it heard from, so that many entries from the right are believed,
 * no more.
 */
export function clientAddress(request: IncomingMessage, proxyHops: number): string {
  const peer = request.socket.remoteAddress ?? ''
  const forwarded = proxyHops > 0 ? request.headers['x-forwarded-for'] : undefined
  if (forwarded === undefined) return networkOf(peer)
  const chain = [forwarded].flat().join(',').split(',')
  const address = chain[Math.max(0, chain.length - proxyHops)] ?? peer
  return networkOf(address.trim().slice(0, ADDRESS_LENGTH_MAX))
}

/**
 * Returns what an address is counted as: IPv4 as it is, also when it is written as IPv6; of IPv6 the
 * /64, since everybody who has one address there has 2^64 of them. A port, which some proxies add,
 * does not count. What is no address is returned as it is.
 */
export function networkOf(address: string): string {
  // The common case: this is called with every request.
  if (!address.includes(':')) return address
  const [, ipv4 = undefined] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? []
  if (ipv4 !== undefined) return ipv4
  const bare = (/^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1] ?? address).replace(/%.*$/, '')
  if (!isIPv6(bare)) return address
  const groups = groupsOf(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.')
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** Returns the eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const [head = [], tail = []] = address.split('::').map(parseGroups)
  return [...head, ...Array(IPV6_GROUPS - head.length - tail.length).fill(0), ...tail]
}

/** The last two groups may be written as IPv4. */
const parseGroups = (text: string): readonly number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [Number.parseInt(group, 16)]
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
        return [a * 256 + b, c * 256 + d]
      })

const bytesOf = (group: number): readonly number[] => [group >> 8, group & 0xff]
