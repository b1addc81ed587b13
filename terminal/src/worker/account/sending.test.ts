import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Address, type Call, type Hex, SigningVenue } from 'openvenue/signing'
import type { Wallet } from '../wallet/wallet.ts'
import { WalletError } from '../wallet/wallet-relay.ts'
import type { BegunDeposit } from './saved-account.ts'
import { depositTasks } from './sending.ts'
import { TxLog } from './tx-log.ts'

const OWNER: Address = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
const ENGINE: Address = '0x00000000000000000000000000000000000000e1'
const TOKEN: Address = '0x00000000000000000000000000000000000000c1'
const ASKED = { engine: 'perps', symbol: 'USDC', amount: '5' } as const
const RAW = 5_000_000n
const APPROVE = '0x095ea7b3'

const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: { perps: { address: ENGINE } },
    tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6 }],
  } as never,
  [],
)

/** A chain of one token and one engine, and a wallet on it that may be cut off at each call. */
function liveChain({ canBatch = false } = {}) {
  const chain = { allowance: 0n, deposits: 0, sent: [] as string[], block: 7 }
  const cut = { before: '', after: '' }
  const apply = ({ data }: Call) => {
    const isApproval = data.startsWith(APPROVE)
    chain.sent.push(isApproval ? 'approve' : 'deposit')
    if (isApproval) chain.allowance = RAW
    else {
      chain.allowance -= RAW
      chain.deposits += 1
    }
    chain.block += 1
  }
  const send = async (name: string, calls: readonly Call[]): Promise<Hex> => {
    if (cut.before === name) throw new WalletError(4900, 'cut')
    for (const call of calls) apply(call)
    if (cut.after === name) throw new WalletError(4900, 'cut')
    return '0xaa'
  }
  const answers: Record<string, () => unknown> = {
    eth_call: () => `0x${chain.allowance.toString(16)}`,
    eth_blockNumber: () => `0x${chain.block.toString(16)}`,
    eth_getTransactionCount: () => '0x0',
    eth_getLogs: () => (chain.deposits > 0 ? [{ data: `0x${RAW.toString(16)}` }] : []),
    eth_getTransactionReceipt: () => ({ status: '0x1', blockNumber: '0x8' }),
  }
  const wallet: Wallet = {
    ...{ kind: 'injected', name: 'A wallet', address: OWNER },
    signer: { address: OWNER, signTypedData: async () => '0x' },
    canBatch: async () => canBatch,
    send: (call) => send(call.data.startsWith(APPROVE) ? 'approve' : 'deposit', [call]),
    sendBatch: (calls) => send('both', calls),
    request: async (method) => answers[method]?.(),
  }
  return { chain, cut, wallet }
}

/** Deposits as a visit does: what was saved is all that it knows of the one before. */
async function visit(wallet: Wallet, kept: { begun: BegunDeposit | undefined }): Promise<void> {
  const tasks = await depositTasks({
    ...{ venue: VENUE, wallet, asked: ASKED, txs: new TxLog(() => {}) },
    begun: () => kept.begun,
    save: async (begun) => {
      kept.begun = begun
    },
  })
  for (const [, work] of tasks) await work()
}

describe('a deposit', () => {
  test('is an approval and a deposit, or one question where the wallet can', async () => {
    for (const canBatch of [false, true]) {
      const { chain, wallet } = liveChain({ canBatch })
      const kept = { begun: undefined }
      await visit(wallet, kept)
      assert.deepEqual(chain.sent, ['approve', 'deposit'])
      assert.equal(kept.begun, undefined)
    }
  })

  for (const [canBatch, name] of [
    [false, 'approve'],
    [false, 'deposit'],
    [true, 'both'],
  ] as const)
    for (const when of ['before', 'after'] as const)
      test(`is made once, cut ${when} the wallet has done: ${name}`, async () => {
        const { chain, cut, wallet } = liveChain({ canBatch })
        const kept: { begun: BegunDeposit | undefined } = { begun: undefined }
        cut[when] = name
        await assert.rejects(visit(wallet, kept), /cut/)
        assert.notEqual(kept.begun, undefined)
        cut[when] = ''
        await visit(wallet, kept)
        assert.deepEqual(chain.sent, ['approve', 'deposit'])
        assert.equal(kept.begun, undefined)
      })

  test('that is refused in the wallet is not begun any more', async () => {
    const { wallet } = liveChain()
    const kept = { begun: undefined }
    const refuses = { ...wallet, send: () => Promise.reject(new WalletError(4001, 'no')) }
    await assert.rejects(visit(refuses, kept), /no/)
    assert.equal(kept.begun, undefined)
  })
})
