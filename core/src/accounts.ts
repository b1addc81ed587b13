// Accounts, their signing keys and their cancellers.
import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import type { EventOf } from './events.ts'
import type { Address, Seconds } from './record-schema.ts'

/** Opens an account. */
export function openAccount(draft: Draft, event: EventOf<'AccountOpened'>): void {
  const { account, wallet } = event
  draft.insert('account', String(account), { account, wallet, openedSeconds: draft.header.seconds })
}

/** Records the owner of an account that has just been opened. */
export function openSubAccount(draft: Draft, event: EventOf<'SubAccountOpened'>): void {
  const { account, owner, index } = event
  const openedSeconds = draft.header.seconds
  draft.insert('subAccount', String(account), { account, owner, index, openedSeconds })
}

/** Registers a key, or changes the expiry of an active one. */
export function registerKey(draft: Draft, event: EventOf<'KeyRegistered'>): void {
  const { key, account, expiry } = event
  const slot = draft.slot('key', key)
  invariant(slot.after?.isRevoked !== true, 'a revoked key never revives', event)
  invariant(slot.after === undefined || slot.after.account === account, 'a key has one account', {
    ...event,
  })
  const isKnown = slot.after !== undefined
  slot.after = { key, account, expirySeconds: expiry, isRevoked: false }
  if (isKnown) renewCancellers(draft, key, expiry)
}

/** The contract checks the current expiry of the key, so its cancellers expire with it. */
function renewCancellers(draft: Draft, key: Address, keyExpiry: Seconds): void {
  for (const allowed of [...draft.all('canceller')]) {
    if (allowed.key !== key) continue
    const { account, canceller, allowedSeconds, expirySeconds } = allowed
    draft.slot('canceller', `${account}|${canceller}`).after = {
      ...allowed,
      expirySeconds: Math.min(allowedSeconds ?? expirySeconds, keyExpiry),
    }
  }
}

/** Revokes a key permanently, together with the cancellers it allowed. */
export function revokeKey(draft: Draft, event: EventOf<'KeyRevoked'>): void {
  const slot = draft.slot('key', event.key)
  invariant(slot.after !== undefined, 'a key is registered before it is revoked', event)
  slot.after = { ...slot.after, isRevoked: true }
  for (const { account, canceller, key } of [...draft.all('canceller')])
    if (key === event.key) draft.slot('canceller', `${account}|${canceller}`).after = undefined
}

/**
 * Allows an address to cancel orders of an account, or changes the expiry of an allowance. A
 * canceller allowed by a key expires with that key, whose expiry may change later.
 */
export function allowCanceller(draft: Draft, event: EventOf<'CancellerAllowed'>): void {
  const { account, canceller, expiry, key } = event
  const keyExpiry = key === null ? undefined : draft.find('key', key)?.expirySeconds
  invariant(key === null || keyExpiry !== undefined, 'a canceller is allowed by a key', event)
  draft.slot('canceller', `${account}|${canceller}`).after = {
    account,
    canceller,
    expirySeconds: Math.min(expiry, keyExpiry ?? expiry),
    key,
    allowedSeconds: expiry,
  }
}

/**
 * Revokes a canceller; a later transaction may allow it again. An account may also revoke a
 * canceller that it never allowed, to void signed messages that allow it.
 */
export function revokeCanceller(draft: Draft, event: EventOf<'CancellerRevoked'>): void {
  draft.slot('canceller', `${event.account}|${event.canceller}`).after = undefined
}
