import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientAddress, networkAddress } from './client-address.ts'

const from = (forwarded?: string) =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

for (const [forwarded, hops, address] of [
  [undefined, 0, '10.0.0.1'],
  ['6.6.6.6', 0, '10.0.0.1'],
  [undefined, 1, '10.0.0.1'],
  ['1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
  ['6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
  ['1.1.1.1', 2, '1.1.1.1'],
  ['x'.repeat(100), 1, 'x'.repeat(64)],
] as const)
  test(`behind ${hops} proxies, X-Forwarded-For ${forwarded?.slice(0, 30)} means the client ${address.slice(0, 9)}`, () => {
    assert.equal(clientAddress(from(forwarded), hops), address)
  })

for (const [text, network] of [
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::ffff:a00:1', '10.0.0.1'],
  ['10.0.0.1:443', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1:2:3:4:5:6:7.8.9.10', '1:2:3:4::/64'],
  ['unknown', 'unknown'],
  ['a:b:c', 'a:b:c'],
  ['', ''],
] as const)
  test(`the address "${text}" is counted as the network "${network}"`, () => {
    assert.equal(networkAddress(text), network)
  })

test('a client with a /64 of IPv6 is one client, directly and behind a proxy', () => {
  const asked = (remoteAddress: string) =>
    ({ socket: { remoteAddress }, headers: {} }) as unknown as IncomingMessage
  assert.equal(clientAddress(asked('2001:db8::1'), 0), clientAddress(asked('2001:db8::2'), 0))
  assert.notEqual(
    clientAddress(asked('2001:db8::1'), 0),
    clientAddress(asked('2001:db8:0:1::1'), 0),
  )
  assert.equal(clientAddress(from('2001:db8::1'), 1), clientAddress(from('2001:db8::2'), 1))
})
