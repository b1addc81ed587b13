import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { clientAddress } from './client-address.ts'

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
  test(`behind ${hops} proxies, ${forwarded?.slice(0, 30)} means ${address.slice(0, 9)}`, () => {
    assert.equal(clientAddress(from(forwarded), hops), address)
  })
