// Intents of orders as the venue writes them: for tests.

import { LISTINGS } from '@openvenue/core/test/scenario/listing'
import type { Scenario } from '@openvenue/core/test/scenario/scenario'
import type { NewIntent, OrderMembers } from '@openvenue/store/intents/intents'

const ETH = LISTINGS['ETH-USDC']
let made = 0
/** Returns a digest that no other order has. */
export const freshDigest = () => `0xd${(++made).toString(16).padStart(63, '0')}`

const MEMBERS: OrderMembers = {
  account: `0x${'51'.repeat(20)}`,
  market: 1,
  isBuy: true,
  limitPrice: '2500500000',
  amount: '2000000000000000',
  timeInForce: 0,
  reduceOnly: false,
  triggerKind: 0,
  triggerPrice: '0',
  goodTil: '0',
  maxFills: 0,
  replaces: `0x${'0'.repeat(64)}`,
  replacesAmount: '0',
  salt: '1',
  deadline: '1900000000',
}

type IntentInput = Partial<Omit<NewIntent, 'payload'>> & Readonly<{ order?: Partial<OrderMembers> }>

/** Returns an intent of an order in ETH-USDC, with defaults for everything not in `given`. */
export const makeIntent = ({ order = {}, ...given }: IntentInput = {}): NewIntent => ({
  id: freshDigest(),
  account: 3,
  wallet: MEMBERS.account,
  market: ETH.id,
  lane: 'orders-0',
  state: 'queued',
  gas: 50_000,
  payload: { kind: 'order', order: { ...MEMBERS, ...order }, signature: `0x${'1b'.repeat(65)}` },
  clientOrderId: undefined,
  parentId: undefined,
  deadlineSeconds: 1_900_000_000n,
  receivedNs: 1_800_000_000_123_456_789n,
  includeByBlock: 12,
  ...given,
})

/** Returns an intent of an account of a scenario. */
export const intentOf = (scenario: Scenario, who: string, given: IntentInput = {}): NewIntent => {
  const account = scenario.accountOf(who)
  const wallet = `0x${account.toString(16).padStart(40, 'c')}`
  return makeIntent({ account, wallet, ...given, order: { account: wallet, ...given.order } })
}
