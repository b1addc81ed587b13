// liquidations: a message for each position closed by force, in any market.
import { encodeLiquidation } from '@openvenue/wire/liquidations'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Affected } from '../streams/affected.ts'
import { type Frame, type PublicChannel, separateFrames } from '../streams/channel.ts'
import type { StreamDeps } from '../streams/public-stream.ts'

export const liquidationsChannel = ({ model }: StreamDeps): PublicChannel => ({
  carriesEvents: true,
  isRebuilt: true,
  subject: { kind: 'all' },
  // Nodes keep no past ones: GET /liquidations has them.
  snapshot: () => 'null',
  onEntry: (affected) => liquidationFrames(model, affected),
})

function liquidationFrames(model: VenueModel, { forcedCloses }: Affected): readonly Frame[] {
  const ids: string[] = []
  const texts: string[] = []
  for (const { key, after } of forcedCloses) {
    const live = model.market(after?.market ?? '')
    if (after === undefined) ids.push(key)
    else if (live !== undefined) texts.push(JSON.stringify(encodeLiquidation(live.market, after)))
  }
  return [
    ...(ids.length === 0 ? [] : [{ type: 'undo', data: JSON.stringify({ ids }) } as const]),
    ...separateFrames('update', texts),
  ]
}
