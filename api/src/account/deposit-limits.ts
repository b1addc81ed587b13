// Caps on deposits, and the remaining room below them.
import { accountRoom, totalRoom } from '@openvenue/core/custody'
import type { Custody, Token } from '@openvenue/core/records'
import { formatRaw } from '@openvenue/core/units'
import type { DepositLimit } from '@openvenue/wire/account'
import type { InfoDeposits } from '@openvenue/wire/info'
import type { VenueModel } from '../model/venue-model.ts'
import type { Owner } from './owner.ts'

/** Returns the caps of a token by engine. */
export const tokenDeposits = (model: VenueModel, token: Token): InfoDeposits[] =>
  listCustodies(model)
    .filter((custody) => custody.token === token.address)
    .map((custody) => {
      const text = (raw: bigint | null) => (raw === null ? null : formatRaw(raw, token.decimals))
      return {
        instrument_type: custody.engineType as InfoDeposits['instrument_type'],
        contract: custody.engine,
        cap: text(custody.totalCap),
        left: text(totalRoom(custody)),
        account_cap: text(custody.accountCap),
      }
    })

/** Returns an account's remaining deposit room for every token and engine with a cap. */
export const depositLimits = (model: VenueModel, { account }: Owner): DepositLimit[] =>
  listCustodies(model).flatMap((custody) => {
    const token = model.state.records.token.get(custody.token)
    const left = accountRoom(model.state, custody, account)
    if (left === null || custody.accountCap === null || token === undefined) return []
    return {
      instrument_type: custody.engineType as DepositLimit['instrument_type'],
      collateral_asset: token.symbol,
      collateral_address: token.address,
      cap: formatRaw(custody.accountCap, token.decimals),
      left: formatRaw(left, token.decimals),
    }
  })

/** Sorted, so that the order does not depend on how the state was built. */
const listCustodies = ({ state }: VenueModel): Custody[] =>
  [...state.records.custody.values()].sort((a, b) =>
    `${a.engine}|${a.token}` < `${b.engine}|${b.token}` ? -1 : 1,
  )
