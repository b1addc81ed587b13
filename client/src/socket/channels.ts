// Types the messages of channels by their names.
import type { Channels } from '../../generated/channels.ts'
import type { Message } from './cursor.ts'

/** A channel of today's venue, or one that a newer venue has. */
export type ChannelName = keyof Channels | (string & Record<never, never>)

type Unknown = Readonly<Record<'snapshot' | 'update' | 'undo', unknown>>
/** The data of a channel's messages, by their `type`; unknown where the channel is. */
export type ChannelData<Name extends string> = Name extends keyof Channels
  ? Channels[Name]
  : Unknown

/** A message of a channel: `type` says which data it has. */
export type ChannelMessage<Name extends string> = {
  [Kind in keyof ChannelData<Name> & Message['type']]: Omit<Message, 'type' | 'data'> &
    Readonly<{ type: Kind; data: ChannelData<Name>[Kind] }>
}[keyof ChannelData<Name> & Message['type']]
