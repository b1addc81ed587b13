// index:<asset>: the index price, as it changes.
import { encodeIndexPrice } from '@openvenue/wire/index-prices'
import type { PublicChannel } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'
import { ChangingText } from './changing-text.ts'

export function indexChannel({ model }: StreamDeps, asset: string): PublicChannel {
  const price = new ChangingText(() => {
    const { price, timestamp } = encodeIndexPrice(asset, model.indexPrice(asset), true)
    return JSON.stringify({ price, timestamp })
  })
  return {
    subject: { kind: 'asset', asset },
    snapshot: () => price.snapshot(),
    onEntry: ({ assets }) => (assets.has(asset) ? price.changes() : []),
    onReset: () => price.reset(),
  }
}
