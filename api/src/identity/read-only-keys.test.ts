// Keys on an edge node, whose database user may only read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW_MS } from '../../test/key-node.ts'
import { BROKEN_ACCOUNTS } from '../../test/scenario-node.ts'
import { sign, TEST_SEAL } from '../../test/signing.ts'
import { ALL_RIGHTS } from '../../test/socket-node.ts'
import { KeyChecks } from './key-checks.ts'
import { hashText } from './new-key.ts'

const WALLET = `0x${'ab'.repeat(20)}`
const SIGNING = { key: 'a'.repeat(32), secret: 'b'.repeat(64) }

test('an edge node accepts a signature once, and writes neither it nor the use of the key', async () => {
  const { key, secret } = SIGNING
  const keys = new KeyChecks({
    // Every call that this does not replace fails.
    identity: {
      ...BROKEN_ACCOUNTS.identity,
      find: async () => ({
        ...ALL_RIGHTS,
        key,
        secretHash: hashText(secret),
        account: WALLET,
        signingKey: WALLET,
        createdMs: NOW_MS,
        expiresMs: NOW_MS + 3_600_000,
        lastUsedMs: undefined,
        sealedSecret: TEST_SEAL.seal(secret, key),
      }),
      onRevoked: () => () => {},
    },
    nowMs: () => NOW_MS,
    monotonicMs: () => 0,
    delay: () => Promise.resolve(),
    seal: TEST_SEAL,
    isReadOnly: true,
  })
  const timestamp = `${NOW_MS}000000`
  const signature = sign(SIGNING, timestamp, 'ws', 'auth', '')
  const body = async () => Buffer.alloc(0)
  const request = { key, timestamp, signature, forms: ['ws,auth'], body, isOnce: true }
  const caller = await keys.checkSigned(request)
  assert.equal(typeof caller === 'object' && caller.account, WALLET)
  assert.equal(await keys.checkSigned(request), 'AUTH_REPLAYED')
  await keys.close()
})
