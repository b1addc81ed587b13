import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_STATE, viewWallet } from './wallet-view.ts'

const network = {
  ...{ name: 'main', chainId: 1, rpcUrls: [], explorerUrl: '' },
  currency: { symbol: 'ETH', decimals: 18 },
  ...{ fee_floor_wei: '0', tip_wei: '1' },
}
const saved = {
  kind: 'injected' as const,
  ...{ walletId: 'org.wallet', name: 'A wallet' },
  address: '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc' as const,
  ...{ keys: undefined, begunKeys: undefined, begunDeposit: undefined },
}
const view = (change: object, account: object = {}) =>
  viewWallet({ ...saved, ...account } as typeof saved, { ...NO_STATE, network, ...change }, false)

describe('the view of a wallet', () => {
  test('the wallet panel offers a test wallet only on a devnet', () => {
    assert.equal(view({}).isDevnet, false)
    assert.equal(view({ network: { ...network, name: 'devnet' } }).isDevnet, true)
    assert.equal(view({ network: undefined }).isDevnet, false)
  })

  test('the wallet panel reports a wallet on another chain once its chain is known', () => {
    assert.equal(view({}).wrongChain, undefined)
    assert.equal(view({ chainId: 1 }).wrongChain, undefined)
    assert.deepEqual(view({ chainId: 7 }).wrongChain, {
      walletNetwork: 'chain 7',
      venueNetwork: 'main (chain 1)',
    })
  })

  test('the wallet panel lists steps left unfinished by an earlier visit, unless they run', () => {
    const begun = {
      begunKeys: { signingKey: '0x01', expirySeconds: 1, apiKey: undefined },
      begunDeposit: { asked: { engine: 'perps', symbol: 'USDC', amount: '5' }, fromBlock: 1 },
    }
    assert.equal(view({}, begun).unfinished, 'a deposit of 5 USDC and enabling trading')
    assert.equal(view({ isBusy: true }, begun).unfinished, '')
  })
})
