// Token holdings of the engines and the room left below their deposit caps (Ledger.sol).

import { invariant } from './assert.ts'
import type { Draft } from './draft.ts'
import type { EngineType, EventOf } from './events.ts'
import { max } from './integers.ts'
import { listedToken, PERP_DECIMALS } from './markets.ts'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from './positions.ts'
import type { AccountNumber, Address, Raw } from './record-schema.ts'
import type { Custody } from './records.ts'
import type { VenueState } from './state.ts'
import { plus } from './units.ts'

/** Returns the factor from raw units of a collateral token to 18 decimals. */
export function collateralScale(decimals: number): bigint {
  invariant(decimals <= PERP_DECIMALS, 'a collateral token has at most 18 decimals', { decimals })
  return 10n ** BigInt(PERP_DECIMALS - decimals)
}

/** A token at an engine. */
export type Vault = Readonly<{ engine: Address; engineType: EngineType; token: Address }>

/** Records the deposit caps of a token. */
export function capDeposits(draft: Draft, event: EventOf<'DepositCapSet'>): void {
  listedToken(draft, event.token)
  const slot = draft.slot('custody', `${event.engine}|${event.token}`)
  const { total: totalCap, perAccount: accountCap } = event
  slot.after = { ...(slot.after ?? emptyCustody(event)), totalCap, accountCap }
}

/** Adds `amount` to an engine's holding of a token; negative for outflows. */
export function moveCustody(draft: Draft, vault: Vault, amount: Raw): void {
  const slot = draft.slot('custody', `${vault.engine}|${vault.token}`)
  const before = slot.after ?? emptyCustody(vault)
  slot.after = { ...before, held: plus(before.held, amount) }
}

const emptyCustody = ({ engine, engineType, token }: Vault): Custody => ({
  engine,
  token,
  engineType,
  held: 0n,
  totalCap: null,
  accountCap: null,
})

/** Returns how much more of the token the engine accepts, raw; null without a cap. */
export const totalRoom = ({ totalCap, held }: Custody): Raw | null =>
  totalCap === null ? null : max(totalCap - held, 0n)

/**
 * Returns how much more of the token an account may deposit, raw; null without a cap and for the
 * venue's own accounts, which are exempt from caps.
 */
export function accountRoom(
  state: VenueState,
  custody: Custody,
  account: AccountNumber | undefined,
): Raw | null {
  const { accountCap } = custody
  if (accountCap === null || account === INSURANCE_ACCOUNT || account === FEE_ACCOUNT) return null
  return max(accountCap - (account === undefined ? 0n : heldBy(state, custody, account)), 0n)
}

/** Funds of an account outside orders, raw, rounded down to whole units; 0 when it has a debt. */
function heldBy(
  { records }: VenueState,
  { engine, engineType, token }: Custody,
  account: AccountNumber,
): Raw {
  if (engineType === 'SPOT') return records.balance.get(`${account}|${token}`)?.free ?? 0n
  const amount = records.collateral.get(`${engine}|${account}`)?.amount ?? 0n
  const decimals = records.token.get(token)?.decimals ?? 0
  return max(amount / collateralScale(decimals), 0n)
}
