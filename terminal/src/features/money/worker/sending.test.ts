import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Address, type Call, type Hex, SigningVenue } from 'openvenue/signing'
import { toFunctionSelector } from 'viem'
import type { UnfinishedDeposit } from '../../session/worker/saved-account.ts'
import { TxLog } from '../../session/worker/tx-log.ts'
import type { Wallet } from '../../wallet/worker/wallet.ts'
import { WalletError } from '../../wallet/worker/wallet-relay.ts'
import { depositTasks } from './sending.ts'

const OWNER: Address = '0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc'
const ENGINE: Address = '0x00000000000000000000000000000000000000e1'
const ACCOUNTS: Address = '0x00000000000000000000000000000000000000a1'
const TOKEN: Address = '0x00000000000000000000000000000000000000c1'
const FORM = { engine: 'perps', symbol: 'USDC', amount: '5' } as const
const RAW = 5_000_000n
const APPROVE = '0x095ea7b3'
const CAP_NONE = 2n ** 96n - 1n
const DEPOSIT_CAP_OF = toFunctionSelector('depositCapOf(address)')
const word = (value: bigint) => value.toString(16).padStart(64, '0')

const VENUE = new SigningVenue(
  {
    network: { name: 'devnet', chain_id: 31337 },
    contracts: { accounts: { address: ACCOUNTS }, perps: { address: ENGINE } },
    tokens: [{ symbol: 'USDC', address: TOKEN, decimals: 6 }],
  } as never,
  [],
)

/** A chain with one token and one engine, and a wallet that can be cut off at each call. */
function liveChain({ canBatch = false } = {}) {
  const chain = { allowance: 0n, deposits: 0, sent: [] as string[], block: 7, cap: CAP_NONE }
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
  const answers: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_call: ([call]) =>
      (call as Call).data.startsWith(DEPOSIT_CAP_OF)
        ? `0x${word(chain.cap)}${word(CAP_NONE)}`
        : `0x${word((call as Call).to === ACCOUNTS ? 0n : chain.allowance)}`,
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
    request: async (method, params) => answers[method]?.(params),
  }
  return { chain, cut, wallet }
}

/** Deposits as one visit of the page: all it knows of the visit before is the stored state. */
async function visit(
  wallet: Wallet,
  storage: { begun: UnfinishedDeposit | undefined },
): Promise<void> {
  const tasks = await depositTasks({
    ...{ venue: VENUE, wallet, form: FORM, txs: new TxLog(() => {}) },
    begun: () => storage.begun,
    save: async (begun) => {
      storage.begun = begun
    },
  })
  for (const [, work] of tasks) await work()
}

describe('a deposit', () => {
  test('a deposit is an approval and a deposit, or one request if the wallet batches', async () => {
    for (const canBatch of [false, true]) {
      const { chain, wallet } = liveChain({ canBatch })
      const storage = { begun: undefined }
      await visit(wallet, storage)
      assert.deepEqual(chain.sent, ['approve', 'deposit'])
      assert.equal(storage.begun, undefined)
    }
  })

  for (const [canBatch, name] of [
    [false, 'approve'],
    [false, 'deposit'],
    [true, 'both'],
  ] as const)
    for (const when of ['before', 'after'] as const)
      test(`a deposit cut ${when} the wallet did its part (${name}) is made once`, async () => {
        const { chain, cut, wallet } = liveChain({ canBatch })
        const storage: { begun: UnfinishedDeposit | undefined } = { begun: undefined }
        cut[when] = name
        await assert.rejects(visit(wallet, storage), /cut/)
        assert.notEqual(storage.begun, undefined)
        cut[when] = ''
        await visit(wallet, storage)
        assert.deepEqual(chain.sent, ['approve', 'deposit'])
        assert.equal(storage.begun, undefined)
      })

  test('a deposit above the cap never reaches the wallet, and is not stored as begun', async () => {
    const { chain, wallet } = liveChain()
    const storage = { begun: undefined }
    chain.cap = RAW - 1n
    await assert.rejects(
      visit(wallet, storage),
      /capped at 4\.999999 USDC in total: at most 4\.999999/,
    )
    assert.deepEqual([chain.sent, storage.begun], [[], undefined])
    chain.cap = RAW
    await visit(wallet, storage)
    assert.deepEqual(chain.sent, ['approve', 'deposit'])
  })

  test('a deposit that the wallet rejects is no longer stored as begun', async () => {
    const { wallet } = liveChain()
    const storage = { begun: undefined }
    const refuses = { ...wallet, send: () => Promise.reject(new WalletError(4001, 'no')) }
    await assert.rejects(visit(refuses, storage), /no/)
    assert.equal(storage.begun, undefined)
  })
})
