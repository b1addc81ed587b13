// Runs a channel for everybody while somebody listens: its frames are numbered, kept and published.
import type { Trading } from '@openvenue/wire/trading'
import type { Clock } from '../../model/clock.ts'
import type { VenueModel } from '../../model/venue-model.ts'
import type { Frame, PublicChannel } from './channel.ts'
import type { OpenStreams } from './open-streams.ts'
import { ReplayBuffer } from './replay-buffer.ts'
import type { Publish, Stream } from './stream.ts'

/** The parts that every stream stands on. */
export type StreamDeps = Readonly<{
  model: VenueModel
  streams: OpenStreams
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
  return {
    carriesEvents,
    seq: () => buffer.seq,
    snapshot: () => [buffer.snapshot(channel.snapshot)],
    replay: (seq) => buffer.replay(seq),
    close,
  }
}
