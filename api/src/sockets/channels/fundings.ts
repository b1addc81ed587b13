// fundings: one message for each funding payment of an account.
import type { FundingPayment } from '@openvenue/core/records'
import type { AccountHistory } from '@openvenue/store/account-history'
import { encodeFundingPayment } from '@openvenue/wire/fills'
import type { FreshReads } from '../../model/fresh-reads.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { PrivateChannel } from '../streams/channel.ts'
import { rowsChannel, SNAPSHOT_ROWS } from './account-rows.ts'

type FundingsDeps = Readonly<{ model: VenueModel; history: AccountHistory; fresh: FreshReads }>

export function fundingsChannel(deps: FundingsDeps): PrivateChannel {
  const { model, history } = deps
  return rowsChannel<FundingPayment>(deps, {
    member: 'fundings',
    changes: ({ payments }) => payments,
    read: (account, from) => history.fundingPayments(account, SNAPSHOT_ROWS, from),
    encode: ({ wallet }, payments) =>
      payments.flatMap((payment) => {
        const live = model.market(payment.market)
        return live === undefined ? [] : [encodeFundingPayment(live.market, payment, wallet)]
      }),
  })
}
