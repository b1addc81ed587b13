// funding:<name>: the answer of GET /funding, as it changes, which it also does on the hour.
import type { Market } from '@openvenue/core/records'
import { encodeFunding } from '@openvenue/wire/funding'
import { clockHour } from '../../model/facts.ts'
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { ChangingText } from './changing-text.ts'

export function fundingChannel({ model, nowMs }: StreamDeps, { id }: Market): PublicChannel {
  const funding = new ChangingText(() =>
    JSON.stringify(encodeFunding(model.funding(id), Math.floor(nowMs() / 1000))),
  )
  let hour = clockHour(nowMs())
  return {
    subject: { kind: 'market', id },
    snapshot: () => funding.snapshot(),
    onEntry: ({ markets }) => (markets.get(id)?.isFunding === true ? funding.changes() : []),
    onTick: (nowMs) => {
      if (clockHour(nowMs) === hour) return []
      hour = clockHour(nowMs)
      return funding.changes()
    },
    onReset: () => funding.reset(),
  }
}
