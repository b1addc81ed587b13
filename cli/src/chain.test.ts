// Transactions that the command sends through a node without gas and fee estimates.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { approveCall, depositCall } from 'openvenue/signing'
import { parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Chain } from './chain.ts'

const GWEI = 1_000_000_000n
const TERMS = { chain_id: 5042002, fee_floor_wei: String(20n * GWEI), tip_wei: String(GWEI) }
const HASH = `0x${'ab'.repeat(32)}` as const
const TOKEN = '0x3600000000000000000000000000000000000000'
const ENGINE = `0x${'b'.repeat(40)}` as const
const MONEY = { engine: ENGINE, token: TOKEN, amount: 5n } as const
const wallet = privateKeyToAccount(`0x${'1f'.repeat(32)}`)

type Answer = (params: readonly never[]) => unknown
const receipt = { transactionHash: HASH, status: '0x1', blockNumber: '0x9', logs: [] }
const ANSWERS: Readonly<Record<string, Answer>> = {
  eth_chainId: () => '0x4cef52',
  eth_getTransactionCount: () => '0x3',
  eth_getBlockByNumber: () => ({ number: '0x8', baseFeePerGas: '0x2540be400', transactions: [] }),
  eth_call: () => '0x',
  eth_sendRawTransaction: () => HASH,
  eth_getTransactionReceipt: () => receipt,
  eth_blockNumber: () => '0x9',
}

describe('a transaction of the command', () => {
  let answers: Record<string, Answer>
  let requests: { method: string; params: readonly unknown[] }[]
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const { id, method, params } = JSON.parse(text)
    requests.push({ method, params })
    let reply: object = { error: { code: -32601, message: `${method} is not supported` } }
    const answer = answers[method]
    try {
      if (answer !== undefined) reply = { result: answer(params) }
    } catch (error) {
      reply = { error }
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
  })
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    answers = { ...ANSWERS }
    requests = []
  })

  const open = () => {
    const { port } = server.address() as AddressInfo
    return Chain.at(`http://127.0.0.1:${port}`, TERMS, async () => [])
  }
  const sent = () => {
    const raws = requests.filter(({ method }) => method === 'eth_sendRawTransaction')
    return raws.map(({ params }) => parseTransaction(params[0] as `0x02${string}`))
  }

  test('a transaction takes its gas limit from the table and offers at least the fee floor of the network', async () => {
    const chain = await open()
    for (const call of [approveCall(MONEY), depositCall(MONEY)])
      assert.equal((await chain.send(wallet, 'step', call, () => {})).block_number, '9')
    const [approve, deposit] = sent()
    assert.deepEqual([approve?.gas, deposit?.gas], [150_000n, 500_000n])
    // Twice the base fee of 10 gwei in the block equals the floor.
    assert.deepEqual([approve?.maxFeePerGas, approve?.maxPriorityFeePerGas], [21n * GWEI, GWEI])
    assert.deepEqual([approve?.chainId, approve?.nonce], [5042002, 3])
    const methods = new Set(requests.map(({ method }) => method))
    const unusable = ['eth_estimateGas', 'eth_gasPrice', 'eth_maxPriorityFeePerGas']
    assert.deepEqual(
      [...unusable, 'eth_feeHistory'].filter((method) => methods.has(method)),
      [],
    )
  })

  test('a transaction is not sent if the contract would revert', async () => {
    answers.eth_call = () => {
      throw { code: 3, message: 'execution reverted', data: '0x12345678' }
    }
    const chain = await open()
    const sending = chain.send(wallet, 'deposit', depositCall(MONEY), () => {})
    await assert.rejects(sending, /deposit: reverted with 0x12345678/)
    assert.deepEqual(sent(), [])
  })
})
