// Runs the Arazzo document of a venue against it: from a wallet to a fill.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { Rest } from 'openvenue'
import { approveCall, depositCall, loadVenue, signOrder, signRegistration } from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { ArazzoRunner } from './arazzo-runner.ts'
import { createChainClient } from './chain-client.ts'
import { startVenue, type TestVenue } from './venue.ts'

const MONEY = 20_000n * 10n ** 6n
const GAS = 500_000
const MARKET = 'ETH-PERP'
const AMOUNT = '0.5'

const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] })
const key = privateKeyToAccount(generatePrivateKey())

let venue: TestVenue
let runner: ArazzoRunner
before(async () => {
  venue = await startVenue()
  runner = await ArazzoRunner.load(`${venue.devnet.apiUrl}/arazzo.json`)
})
after(() => venue?.remove())

/** Approves and deposits from the wallet. Returns the block of the deposit. */
async function deposit(engine: `0x${string}`): Promise<number> {
  const token = venue.devnet.deployment.tokens.USDC as `0x${string}`
  const chain = createChainClient(rpcAt(venue.devnet.rpcUrl))
  const from = wallet.address
  const money = { engine, token, amount: MONEY }
  const receipts = await chain.send([
    mint(from, token, from, MONEY),
    { from, ...approveCall(money), gas: GAS },
    { from, ...depositCall(money), gas: GAS },
  ])
  return receipts.at(-1)?.blockNumber ?? 0
}

describe('docs/arazzo.json', () => {
  test('docs/arazzo.json leads from a wallet to a fill as written', async () => {
    const seen = await runner.run('look', { instrument_name: MARKET })
    const rest = new Rest({ url: venue.devnet.apiUrl })
    const signing = await loadVenue(rest)
    const price = String((BigInt(String(seen.mark_price).split('.')[0] ?? '') * 105n) / 100n)
    const order = {
      account: wallet.address,
      market: MARKET,
      side: 'buy',
      amount: AMOUNT,
      price,
      timeInForce: 'IOC',
    } as const
    const outputs = await runner.run('register-deposit-order-fill', {
      registration: await signRegistration(signing, { wallet, key }),
      deposit_block: await deposit(seen.engine as `0x${string}`),
      order: await signOrder(signing, key, order),
    })
    assert.equal(outputs.account, wallet.address.toLowerCase())
    assert.equal(outputs.balance, '20000')
    assert.equal(outputs.filled, AMOUNT)
    assert.match(String(outputs.avg_price), /^\d+(\.\d+)?$/)
    assert.deepEqual(
      runner.done.map(({ step }) => step),
      [
        ...['info', 'market'],
        ...['register', 'wait-for-key', 'register', 'wait-for-balance', 'deposit'],
        ...['preview', 'place', 'wait-for-fill', 'fill', 'order'],
      ],
    )
  })

  test("an Arazzo workflow fails with the venue's answer when a criterion is not met", async () => {
    await assert.rejects(runner.run('look', { instrument_name: 'ETH-USDC' }), /market.*"SPOT"/)
    await assert.rejects(runner.run('look', { instrument_name: 'NO' }), /INSTRUMENT_NOT_FOUND/)
    await assert.rejects(runner.run('look', {}), /lacks inputs instrument_name/)
  })
})
