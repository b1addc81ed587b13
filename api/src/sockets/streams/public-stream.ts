// Runs a public channel while it has subscribers: numbers, keeps and publishes its frames.
import type { Trading } from '@openvenue/wire/trading'
import type { Clock } from '../../model/clock.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import { type Frame, framesAt, type PublicChannel } from './channel.ts'
import type { OpenStreams } from './open-streams.ts'
import type { PastEntries } from './past-entries.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import type { ReplayMemory } from './replay-memory.ts'
import type { Publish, ReplayResult, Stream } from './stream.ts'

/** Dependencies of every stream. */
export type StreamDeps = Readonly<{
  model: VenueModel
  streams: OpenStreams
  past: PastEntries
  memory: ReplayMemory
  trading: Trading
}> &
  Clock

export function openPublicStream(
  deps: StreamDeps,
  name: string,
  channel: PublicChannel,
  publish: Publish,
): Stream {
  const buffer = new ReplayBuffer(name, deps)
  const send = (frames: readonly Frame[]) => {
    for (const frame of frames) publish(buffer.add(frame))
  }
  const { subject, carriesEvents = false, onTick } = channel
  const close = deps.streams.add(subject, {
    onEntry: (affected) => send(channel.onEntry(affected)),
    onLoad: () => {
      channel.onReset?.()
      buffer.restart()
      publish(buffer.snapshot(channel.snapshot))
    },
    ...(onTick === undefined ? {} : { onTick: (nowMs) => send(onTick(nowMs)) }),
  })
  const isRebuilt = channel.isRebuilt === true
  const replay = (seq: number): ReplayResult => {
    const buffered = buffer.replay(seq)
    const past = buffered === undefined && isRebuilt ? deps.past.after(seq) : undefined
    if (past === undefined) return buffered
    const frames = past.entries.flatMap((entry) => framesAt(entry, channel.onEntry(entry.affected)))
    return buffer.rebuild(seq, frames)
  }
  return {
    carriesEvents,
    isResumed: true,
    reach: (seq) => {
      const isNeeded = seq > deps.model.seq || (isRebuilt && buffer.replay(seq) === undefined)
      return isNeeded ? deps.past.reach(seq) : undefined
    },
    seq: () => buffer.seq,
    snapshot: () => [buffer.snapshot(channel.snapshot)],
    replay,
    close: () => {
      close()
      buffer.clear()
    },
  }
}
