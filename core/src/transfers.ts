// Deposits, withdrawals and transfers of tokens.

import { invariant } from './assert.ts'
import { moveBalance, moveCollateral } from './balances.ts'
import { collateralScale, moveCustody, type Vault } from './custody.ts'
import type { Draft } from './draft.ts'
import type { EventOf, LogPosition } from './events.ts'
import { listedToken } from './markets.ts'
import type { AccountNumber } from './record-schema.ts'
import type { Transfer } from './records.ts'

/** Records a deposit. */
export function deposit(draft: Draft, event: EventOf<'Deposited'>): void {
  credit(draft, event, event.account, event.amount)
  moveCustody(draft, event, event.amount)
  record(draft, event, { type: 'deposit', account: event.account })
}

/** Records a withdrawal. */
export function withdraw(draft: Draft, event: EventOf<'Withdrawn'>): void {
  credit(draft, event, event.account, -event.amount)
  moveCustody(draft, event, -event.amount)
  record(draft, event, { type: 'withdraw', account: event.account, recipient: event.to })
}

/** Records a transfer between two accounts of one engine, as a send and a receive. */
export function transfer(draft: Draft, event: EventOf<'Transferred'>): void {
  credit(draft, event, event.from, -event.amount)
  credit(draft, event, event.to, event.amount)
  const id = draft.placeId(event.logIndex)
  const { from, to } = event
  record(draft, event, { id: `${id}-s`, type: 'send', account: from, counterparty: to })
  record(draft, event, { id: `${id}-r`, type: 'receive', account: to, counterparty: from })
}

function credit(draft: Draft, vault: Vault, account: AccountNumber, amount: bigint): void {
  const { engine, engineType, token } = vault
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
  event: Vault & LogPosition & Readonly<{ amount: bigint }>,
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
