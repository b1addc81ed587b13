import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WalletError, WalletRelay } from './wallet-relay.ts'

function silentWallet() {
  const slow: boolean[] = []
  const ids: number[] = []
  const relay = new WalletRelay(({ id }) => ids.push(id))
  relay.onSlow((isSlow) => slow.push(isSlow))
  const ask = (method: string) => relay.request('org.wallet', [method, []])
  const refuse = (code: number, message = 'the wallet’s own text') =>
    relay.take({ kind: 'wallet', id: ids.at(-1) ?? 0, code, message })
  return { relay, slow, ids, ask, refuse }
}

describe('a wallet', () => {
  test('a wallet that rejects, is busy, or fails otherwise has its error described', async () => {
    const { ask, refuse } = silentWallet()
    for (const [code, words] of [
      [4001, /rejected in the wallet/],
      [-32_002, /already has an open request/],
      [4100, /connect it again/],
      [-32_000, /the wallet’s own text/],
    ] as const) {
      const rejection = assert.rejects(ask('eth_sendTransaction'), words)
      refuse(code)
      await rejection
    }
  })

  test('a wallet that never answers a request without a prompt is given up', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { ask } = silentWallet()
    const rejection = assert.rejects(ask('eth_chainId'), /the wallet does not answer/)
    t.mock.timers.tick(15_000)
    await rejection
  })

  test('a wallet that waits for the user is reported as slow until the user stops', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { relay, ask, slow, ids } = silentWallet()
    const rejection = assert.rejects(ask('eth_signTypedData_v4'), (error) => {
      assert.ok(error instanceof WalletError)
      return /you stopped waiting/.test(error.message)
    })
    t.mock.timers.tick(60 * 60 * 1000)
    assert.deepEqual(slow, [true])
    relay.stopWaiting()
    await rejection
    assert.deepEqual(slow, [true, false])
    // The late answer is dropped.
    relay.take({ kind: 'wallet', id: ids[0] ?? 0, result: '0xlate' })
  })
})
