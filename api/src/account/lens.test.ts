import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lensAbi } from '@openvenue/contracts/abi/lens'
import fc from 'fast-check'
import { encodeFunctionData, encodeFunctionResult, toFunctionSelector } from 'viem'
import {
  decodePerpAccount,
  PERP_ACCOUNT_SELECTOR,
  perpAccountCall,
  readPerpAccount,
} from './lens.ts'

const ENGINE = '0x9000000000000000000000000000000000000091'
const LENS = '0x7000000000000000000000000000000000000071'
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const int = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })

describe('Lens.perpAccount', () => {
  test('is called as its ABI says, for every account', () => {
    assert.equal(PERP_ACCOUNT_SELECTOR, toFunctionSelector('perpAccount(address,uint40)'))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 - 1 }), (account) => {
        const args = [ENGINE, account] as const
        assert.equal(
          perpAccountCall({ engine: ENGINE, account }),
          encodeFunctionData({ abi: lensAbi, functionName: 'perpAccount', args }),
        )
      }),
    )
  })

  test('is understood as its ABI says, negative values included', () => {
    const answers = fc.record(
      {
        collateral: int,
        equity: int,
        initialMargin: uint,
        maintenanceMargin: uint,
        available: uint,
        withdrawable: uint,
      },
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(answers, (result) => {
        const answer = encodeFunctionResult({ abi: lensAbi, functionName: 'perpAccount', result })
        assert.deepEqual(decodePerpAccount(answer), result)
      }),
    )
  })

  test('is asked of the lens at the block', async () => {
    const asked: unknown[] = []
    const call = async (...parts: unknown[]) => {
      asked.push(parts)
      return `0x${'0'.repeat(6 * 64)}`
    }
    const of = { engine: ENGINE, account: 3 }
    await readPerpAccount({ call, lens: LENS, blockHash: '0x07' }, of)
    assert.deepEqual(asked, [[{ to: LENS, data: perpAccountCall(of) }, '0x07']])
  })

  test('refuses an answer that is not six words: where no lens stands, it is empty', () => {
    for (const answer of ['0x', `0x${'0'.repeat(6 * 64 - 1)}`, `0x${'0'.repeat(7 * 64)}`, 'null'])
      assert.throws(() => decodePerpAccount(answer), /answers six words/)
  })
})
