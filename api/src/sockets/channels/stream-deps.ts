// What every channel stands on, and what all public ones do alike.
import type { VenueModel } from '../../model/venue-model.ts'
import type { Clock } from '../../rest/route.ts'
import type { Publish, Stream } from '../channel.ts'
import type { OpenStreams, Subject } from './open-streams.ts'
import { Outlet, type Place } from './outlet.ts'
import type { Touches } from './touches.ts'

export type StreamDeps = Readonly<{
  model: VenueModel
  streams: OpenStreams
}> &
  Clock

/** How a public channel is opened. */
export type Opening = (publish: Publish) => Stream

/** What one public channel does. */
export type Source = Readonly<{
  subject: Subject
  /** Returns the data of a snapshot, as JSON. */
  snapshot: (place: Place) => string
  /** Tells what an entry changed. */
  take: (touches: Touches) => void
  tick?: (nowMs: number) => void
  /** A snapshot told everything: nothing is left to tell. */
  forget?: () => void
}>

/** Returns how to open the public channel `name`. */
export const publicChannel =
  (deps: StreamDeps, name: string, sourceOf: (outlet: Outlet) => Source): Opening =>
  (publish) => {
    const outlet = new Outlet(name, deps, publish)
    const { subject, snapshot, take, tick, forget } = sourceOf(outlet)
    const reload = () => {
      forget?.()
      outlet.restart()
      publish(outlet.snapshot(snapshot))
    }
    return {
      snapshot: () => [outlet.snapshot(snapshot)],
      replay: (seq) => outlet.replay(seq),
      close: deps.streams.add(subject, {
        take,
        reload,
        ...(tick === undefined ? {} : { tick }),
      }),
    }
  }
