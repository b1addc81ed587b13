// The host and protocol that documents name, for any request headers.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { DEFAULT_ORIGIN, requestOrigin } from './request-origin.ts'

const origin = (headers: Record<string, string>, proxyHops = 0, localPort?: number) => {
  const request = { headers, socket: { localPort } } as unknown as IncomingMessage
  const { host, isSecure } = requestOrigin(request, proxyHops)
  return `${isSecure ? 'https' : 'http'}://${host}`
}

describe('the requested host', () => {
  test('the requested host is the Host header', () => {
    for (const host of ['127.0.0.1:3456', 'venue.example', '[::1]:3000', 'api_1:80', 'A.example:1'])
      assert.equal(origin({ host }), `http://${host}`)
  })

  test('the requested host is the local address when the header is absent or not a host', () => {
    const odd = ['', ' ', 'a"b', 'a b', "a'b", 'a\\b', 'a/b', 'a@b', 'a\u0000', 'é', '<b>', ':80']
    odd.push('a:b', 'a:123456', '[', '[::1', '{x}', `${'x'.repeat(10_240)}`)
    for (const host of odd) {
      assert.equal(origin({ host }, 0, 3456), 'http://localhost:3456', JSON.stringify(host))
      assert.equal(origin({ 'x-forwarded-host': host }, 1, 3456), 'http://localhost:3456')
    }
    assert.equal(origin({}, 0, 3456), 'http://localhost:3456')
    assert.equal(origin({}), `http://${DEFAULT_ORIGIN.host}`)
  })

  const forwarded = {
    host: 'inner:3000',
    'x-forwarded-host': 'forged.example, venue.example, cdn.example',
    'x-forwarded-proto': 'http, https, http',
  }
  for (const [proxyHops, expected] of [
    [0, 'http://inner:3000'],
    [1, 'http://cdn.example'],
    [2, 'https://venue.example'],
    [3, 'http://forged.example'],
    [9, 'http://forged.example'],
  ] as const)
    test(`behind ${proxyHops} trusted proxies the requested host is ${expected}`, () => {
      assert.equal(origin(forwarded, proxyHops), expected)
    })

  test('the requested host is the Host header behind a proxy that reports only the protocol', () => {
    const headers = { host: 'venue.example', 'x-forwarded-proto': 'HTTPS' }
    assert.equal(origin(headers, 1), 'https://venue.example')
    assert.equal(origin(headers, 0), 'http://venue.example')
  })
})
