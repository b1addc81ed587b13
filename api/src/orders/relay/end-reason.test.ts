import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@openvenue/core/records'
import type { Intent, IntentState } from '@openvenue/store/intents/intents'
import { funded } from '../../../test/funded.ts'
import { makeIntent } from '../../../test/made-intents.ts'
import { orderModel } from '../../../test/order-model.ts'
import { REFUSALS } from '../../http/refusals.ts'
import { KNOWN_ERRORS } from '../rules/contract-errors.ts'
import { endReason } from './find-order.ts'

const { model } = orderModel(funded('ETH-USDC').blocks())
const market = model.market('ETH-USDC')?.market as Market

const ended = (state: IntentState, reason?: string, isBuy = true): Intent => ({
  ...makeIntent({ order: { isBuy } }),
  state,
  reason,
  seq: 1,
  txHash: undefined,
  blockNumber: undefined,
  updatedNs: 1n,
})
const codeOf = (...given: Parameters<typeof ended>) => endReason(market, ended(...given))

test('every error of a placement has a code that refuses orders, and keeps its name', () => {
  for (const signature of KNOWN_ERRORS) {
    const name = signature.slice(0, signature.indexOf('('))
    const { code = '', contractError } = codeOf('refused', name)
    assert.ok(Object.hasOwn(REFUSALS, code) && code !== 'ORDER_REFUSED', name)
    assert.equal(contractError, name)
  }
})

test('an error that no placement raises is ORDER_REFUSED', () => {
  for (const reason of ['OutOfGas', 'Reverted', '0x12345678', 'toString'])
    assert.deepEqual(codeOf('refused', reason), { code: 'ORDER_REFUSED', contractError: reason })
})

test('an order that waited when the database was lost ends as RESTORED, and not by the contract', () => {
  assert.deepEqual(codeOf('refused', 'RESTORED'), { code: 'RESTORED', contractError: undefined })
})

test('an insufficient balance is that of the token the side pays', () => {
  assert.equal(codeOf('refused', 'BalanceTooLow').code, 'SPOT_NO_QUOTE_BALANCE')
  assert.equal(codeOf('refused', 'BalanceTooLow', false).code, 'SPOT_NO_BASE_BALANCE')
})

test('an order whose time passed, or that was withdrawn, has a code without the contract', () => {
  for (const [state, reason, code] of [
    ['expired', undefined, 'ORDER_TIMED_OUT'],
    ['expired', 'ORDER_EXPIRED', 'ORDER_EXPIRED'],
    ['refused', 'ORDER_DOES_NOT_EXIST', 'ORDER_DOES_NOT_EXIST'],
    ['withdrawn', 'OCO', 'OCO'],
    ['queued', 'TriggerNotMet', undefined],
  ] as const)
    assert.deepEqual(codeOf(state, reason), { code, contractError: undefined })
})
