// Refuses requests for the sockets, including WebSocket upgrades, with the one error body.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { retryHeaders, writeRefusal } from '../../http/errors.ts'
import { JSON_TYPE } from '../../http/host-type.ts'
import { NO_STORE } from '../../http/negotiation.ts'
import { REFUSALS, Refusal, type RefusalCode } from '../../http/refusals.ts'
import { readRequestId } from '../../http/request-id.ts'
import { mismatchText } from '../../http/validation.ts'

/** RFC 6455, section 4.1: the only version, and a key of 16 bytes in base64. */
const VERSION = '13'
const KEY = /^[+/0-9A-Za-z]{22}==$/

/** Headers that name a valid request. */
const HEADERS: Readonly<Partial<Record<RefusalCode, readonly (readonly [string, string])[]>>> = {
  UPGRADE_REQUIRED: [
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
    ['sec-websocket-version', VERSION],
  ],
  METHOD_NOT_ALLOWED: [['allow', 'GET']],
}

/** Returns the reason why a request cannot become a WebSocket, if there is one. */
export function handshakeRefusal({ method, headers }: IncomingMessage): Refusal | undefined {
  if (method !== 'GET') return invalid('METHOD_NOT_ALLOWED', 'method', mismatchText('GET', method))
  if (headers['sec-websocket-version'] !== VERSION)
    return invalid(
      'UPGRADE_REQUIRED',
      'Sec-WebSocket-Version',
      mismatchText(VERSION, headers['sec-websocket-version']),
    )
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return invalid('MALFORMED_REQUEST', 'Sec-WebSocket-Key', 'expected 16 bytes in base64')
  return undefined
}

function invalid(code: RefusalCode, field: string, mismatch: string): Refusal {
  const message = `${field} is invalid: ${mismatch}`
  return new Refusal(code, { message, details: [{ field, code, message }] })
}

/** Refuses a request that does not ask for an upgrade. */
export function refuseRequest(
  response: ServerResponse,
  request: IncomingMessage,
  refusal: Refusal,
): void {
  const requestId = readRequestId(request)
  const headers = ['x-request-id', requestId, ...(HEADERS[refusal.code] ?? []).flat()]
  writeRefusal(response, refusal, requestId, headers)
}

/** Refuses an upgrade like any other request, and ends its connection. */
export function refuseUpgrade(socket: Duplex, request: IncomingMessage, refusal: Refusal): void {
  const requestId = readRequestId(request)
  const body = JSON.stringify(refusal.body(requestId))
  const headers = [
    ['x-request-id', requestId],
    ...(HEADERS[refusal.code] ?? []),
    ...retryHeaders(refusal),
    ['cache-control', NO_STORE],
    ['content-type', JSON_TYPE],
    ['content-length', Buffer.byteLength(body)],
    ['connection', 'close'],
  ]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `${refusal.status} ${REFUSALS[refusal.code].message}`
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
}
