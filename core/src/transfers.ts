// Tokens that come, go or change hands.

import { invariant } from './assert.ts'
import { moveBalance, moveCollateral } from './balances.ts'
import type { Draft } from './draft.ts'
import type { EngineType, EventOf, LogPosition } from './events.ts'
import { listedToken, PERP_DECIMALS } from './markets.ts'
import type { AccountNumber, Address } from './record-schema.ts'
import type { Transfer } from './records.ts'

type Custody = Readonly<{ engine: Address; engineType: EngineType; token: Address }>

/** Books a deposit. */
export function deposit(draft: Draft, event: EventOf<'Deposited'>): void {
  credit(draft, event, event.account, event.amount)
  record(draft, event, { type: 'deposit', account: event.account })
}

/** Books a withdrawal. */
export function withdraw(draft: Draft, event: EventOf<'Withdrawn'>): void {
  credit(draft, event, event.account, -event.amount)
  record(draft, event, { type: 'withdraw', account: event.account, recipient: event.to })
}

/**
 * Books a transfer between two accounts of one engine: it is sent by one and received by the other.
 */
export function transfer(draft: Draft, event: EventOf<'Transferred'>): void {
  credit(draft, event, event.from, -event.amount)
  credit(draft, event, event.to, event.amount)
  const id = draft.placeId(event.logIndex)
  const { from, to } = event
  record(draft, event, { id: `${id}-s`, type: 'send', account: from, counterparty: to })
  record(draft, event, { id: `${id}-r`, type: 'receive', account: to, counterparty: from })
}

/** Returns the factor from raw units of a collateral token to 18 decimals. */
export function collateralScale(decimals: number): bigint {
  invariant(decimals <= PERP_DECIMALS, 'a collateral token has at most 18 decimals', { decimals })
  return 10n ** BigInt(PERP_DECIMALS - decimals)
}

function credit(draft: Draft, custody: Custody, account: AccountNumber, amount: bigint): void {
  const { engine, engineType, token } = custody
  if (engineType === 'SPOT') {
    moveBalance(draft, account, token, { free: amount, locked: 0n })
    return
  }
  invariant(engineType === 'PERPETUAL', 'an engine is spot or perpetual', { engine, engineType })
  const { decimals } = listedToken(draft, token)
  moveCollateral(draft, engine, account, amount * collateralScale(decimals))
}

function record(
  draft: Draft,
  event: Custody & LogPosition & Readonly<{ amount: bigint }>,
  parties: Pick<Transfer, 'type' | 'account'> & Partial<Transfer>,
): void {
  const id = parties.id ?? draft.placeId(event.logIndex)
  draft.insert('transfer', id, {
    id,
    type: parties.type,
    engine: event.engine,
    account: parties.account,
    counterparty: parties.counterparty ?? null,
    recipient: parties.recipient ?? null,
    token: event.token,
    amount: event.amount,
    blockNumber: draft.header.number,
    logIndex: event.logIndex,
    txHash: event.txHash,
    seconds: draft.header.seconds,
  })
}
