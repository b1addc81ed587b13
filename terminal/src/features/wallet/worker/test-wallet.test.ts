import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveCall } from 'openvenue/signing'
import { parseTransaction } from 'viem'
import { callWords } from './signing-words.ts'
import { testWallet } from './test-wallet.ts'

const GWEI = 1_000_000_000n
const NETWORK = {
  ...{ name: 'devnet', chainId: 5042002, rpcUrls: [], explorerUrl: '' },
  currency: { symbol: 'USDC', decimals: 18 },
  ...{ fee_floor_wei: String(20n * GWEI), tip_wei: String(GWEI) },
}
const CALL = approveCall({
  engine: `0x${'b'.repeat(40)}`,
  token: '0x3600000000000000000000000000000000000000',
  amount: 5n,
})

const ANSWERS: Readonly<Record<string, unknown>> = {
  eth_getTransactionCount: '0x3',
  eth_getBlockByNumber: { baseFeePerGas: '0x0' },
  eth_call: '0x',
  eth_sendRawTransaction: '0xhash',
}

/** A wallet at a node that gives these answers, and none about gas and prices. */
function walletAt(answers: typeof ANSWERS) {
  const requests: [string, readonly unknown[]][] = []
  const wallet = testWallet(`0x${'1f'.repeat(32)}`, NETWORK, async (method, params) => {
    requests.push([method, params])
    if (answers[method] === undefined) throw new Error(`${method} is refused`)
    return answers[method]
  })
  return {
    wallet,
    raw: () => requests.find(([method]) => method === 'eth_sendRawTransaction')?.[1][0],
  }
}

const WORDS = callWords('approve', [])

test("the test wallet offers the network's fees, and gas from the page's own table", async () => {
  const { wallet, raw } = walletAt(ANSWERS)
  assert.equal(await wallet.send(CALL, WORDS), '0xhash')
  const { gas, maxFeePerGas, chainId, nonce } = parseTransaction(raw() as `0x02${string}`)
  assert.deepEqual([gas, maxFeePerGas, chainId, nonce], [150_000n, 21n * GWEI, 5042002, 3])
})

test('the test wallet does not send a call that would revert', async () => {
  const { eth_call: _, ...answers } = ANSWERS
  const { wallet, raw } = walletAt(answers)
  await assert.rejects(wallet.send(CALL, WORDS), /eth_call is refused/)
  assert.equal(raw(), undefined)
})
