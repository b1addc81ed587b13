// An independent ledger that does not use core's positions: transfers, and the profits and payments
// of fills and cycles. Values are quote raw.
import type { BlockChanges } from '@openvenue/core/changes'
import { fundingIndexAt } from '@openvenue/core/funding'
import { markPerLotDown, unrealised } from '@openvenue/core/margin'
import { markAt } from '@openvenue/core/marks'
import { FEE_ACCOUNT, INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import type { ClosedCycle, Fill, ForcedClose, Transfer } from '@openvenue/core/records'
import type { VenueState } from '@openvenue/core/state'

/** Raw units of a 6-decimal token in quote raw. */
const TOKEN_SCALE = 10n ** 12n

/** Sums by account. */
class Sums {
  readonly #sums = new Map<number, bigint>()

  add(account: number, amount: bigint): void {
    this.#sums.set(account, this.of(account) + amount)
  }

  of(account: number): bigint {
    return this.#sums.get(account) ?? 0n
  }
}

export class PerpLedger {
  readonly #engine: string
  /** Deposits less withdrawals, and transfers from other accounts. */
  readonly #moved = new Sums()
  /** Fees of others that this account received. */
  readonly #earned = new Sums()
  /** Realised profit and payments, from fills. */
  readonly #realisedByFill = new Sums()
  readonly #paidByFill = new Sums()
  /** The same sums and funding, from ended cycles. */
  readonly #realised = new Sums()
  readonly #paid = new Sums()
  readonly #funding = new Sums()

  constructor(engine: string) {
    this.#engine = engine
  }

  /** Records the changes of a block. */
  take({ changes }: BlockChanges): void {
    for (const change of changes) {
      if (change.after === undefined) continue
      if (change.what === 'transfer') this.#move(change.after)
      else if (change.what === 'fill') this.#fill(change.after)
      else if (change.what === 'closedCycle') this.#end(change.after)
      else if (change.what === 'forcedClose') this.#reward(change.after)
    }
  }

  #move({ engine, account, type, amount }: Transfer): void {
    if (engine !== this.#engine) return
    const isIn = type === 'deposit' || type === 'receive'
    this.#moved.add(account, (isIn ? amount : -amount) * TOKEN_SCALE)
  }

  #fill({ account, market, realised, fee, liquidationFee }: Fill): void {
    if (!market.startsWith(this.#engine)) return
    this.#realisedByFill.add(account, realised ?? 0n)
    this.#paidByFill.add(account, fee + liquidationFee)
    this.#earned.add(FEE_ACCOUNT, fee)
  }

  #end({ account, realised, fees, funding }: ClosedCycle): void {
    this.#realised.add(account, realised)
    this.#paid.add(account, fees)
    this.#funding.add(account, funding)
  }

  #reward({ kind, counterparty, fee, reward }: ForcedClose): void {
    if (kind !== 'liquidation') return
    this.#earned.add(INSURANCE_ACCOUNT, fee - reward)
    if (counterparty !== null) this.#earned.add(counterparty, reward)
  }

  /** Returns an account's profits and payments, once by its fills and once by its cycles. */
  totals(state: VenueState, account: number) {
    const cycles = [...state.records.cycle.values()].filter((cycle) => cycle.account === account)
    const sum = (of: (cycle: (typeof cycles)[number]) => bigint) =>
      cycles.reduce((total, cycle) => total + of(cycle), 0n)
    return {
      byFills: {
        realised: this.#realisedByFill.of(account),
        paid: this.#paidByFill.of(account),
      },
      byCycles: {
        realised: this.#realised.of(account) + sum(({ realised }) => realised),
        paid: this.#paid.of(account) + sum(({ fees }) => fees),
      },
      funding: this.#funding.of(account) + sum(({ funding }) => funding),
    }
  }

  /** Returns the resulting equity: transfers, earnings, profits and payments. */
  equity(state: VenueState, account: number): bigint {
    const { byFills, funding } = this.totals(state, account)
    const settled = this.#moved.of(account) + this.#earned.of(account)
    return settled + byFills.realised - byFills.paid + funding + running(state, account)
  }
}

/** Values the open positions of an account, with funding since its cycles ended. */
function running(state: VenueState, account: number): bigint {
  const { records, head } = state
  let total = 0n
  for (const cycle of records.cycle.values()) {
    if (cycle.account !== account) continue
    const position = records.position.get(`${cycle.market}|${account}`)
    const market = records.market.get(cycle.market)
    const mark = records.mark.get(cycle.market)
    const funding = records.funding.get(cycle.market)
    if (!position || !market || !mark || !funding || !head)
      throw new Error('a running cycle has a position in a listed market')
    const index = fundingIndexAt(funding, head.seconds)
    const { price } = markAt(mark, head.seconds)
    total += unrealised(position, markPerLotDown(market, price))
    total -= position.lots * (index - cycle.fundingIndex)
  }
  return total
}
