// The model's block, for requests that wait for one.
import type { ChainHead } from '../http/min-block.ts'
import type { VenueModel } from './venue-model.ts'

/** Returns the head of `model`. Without `delay`, requests do not wait for it. */
export const chainHead = (model: VenueModel, delay: ChainHead['delay']): ChainHead => ({
  number: () => model.head?.number,
  onMove: (listener) => {
    model.onLoad(listener)
    model.onEntry(listener)
  },
  delay,
})
