// fundings: one message for each funding payment of an account.
import type { FundingPayment } from '@openvenue/core/records'
import { encodeFundingPayment } from '@openvenue/wire/fills'
import type { PrivateChannel } from '../streams/channel.ts'
import { type RowsDeps, rowsChannel, SNAPSHOT_ROWS } from './account-rows.ts'

export function fundingsChannel(deps: RowsDeps): PrivateChannel {
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
