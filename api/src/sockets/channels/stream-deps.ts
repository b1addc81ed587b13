// What every channel stands on, and what all public ones do alike.
import type { VenueModel } from '../../model/venue-model.ts'
import type { Clock } from '../../rest/route.ts'
import type { Publish, Stream } from '../channel.ts'
import type { Affected } from './affected.ts'
import type { OpenStreams, Subject } from './open-streams.ts'
import { type FramePosition, ReplayBuffer } from './replay-buffer.ts'

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
  snapshot: (position: FramePosition) => string
  /** Tells what an entry changed. */
  take: (affected: Affected) => void
  tick?: (nowMs: number) => void
  /** A snapshot told everything: nothing is left to tell. */
  forget?: () => void
}>

/** Returns how to open the public channel `name`. */
export const publicChannel =
  (deps: StreamDeps, name: string, sourceOf: (buffer: ReplayBuffer) => Source): Opening =>
  (publish) => {
    const buffer = new ReplayBuffer(name, deps, publish)
    const { subject, snapshot, take, tick, forget } = sourceOf(buffer)
    const reload = () => {
      forget?.()
      buffer.restart()
      publish(buffer.snapshot(snapshot))
    }
    return {
      snapshot: () => [buffer.snapshot(snapshot)],
      replay: (seq) => buffer.replay(seq),
      close: deps.streams.add(subject, {
        take,
        reload,
        ...(tick === undefined ? {} : { tick }),
      }),
    }
  }
