import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '@openvenue/wire/codes/catalogue'
import {
  AuthError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  refusalOf,
  UnavailableError,
} from './errors.ts'
import { refusalOfReply } from './socket/link.ts'

const CLASS_OF = {
  invalid: InvalidRequestError,
  auth: AuthError,
  absent: NotFoundError,
  conflict: ConflictError,
  rate: RateLimitedError,
  unavailable: UnavailableError,
}

test('every code of the catalogue maps to the same error class over REST and over a socket', () => {
  assert.ok(CATALOGUE.length > 100)
  for (const { code, kind, status } of CATALOGUE) {
    assert.equal(refusalOfReply({}, code).constructor, CLASS_OF[kind], code)
    if (status !== null)
      assert.equal(refusalOf({ error: code }, status).constructor, CLASS_OF[kind], code)
  }
})
