// Message types of channels by channel name.
import type { Channels } from '../../generated/channels.ts'
import type { Message } from './cursor.ts'

/** A channel of the current venue, or one that a newer venue introduced. */
export type ChannelName = keyof Channels | (string & Record<never, never>)

type UnknownData = Readonly<Record<'snapshot' | 'update' | 'undo', unknown>>
/** Data of a channel's messages by `type`; unknown for an unknown channel. */
export type ChannelData<Name extends string> = Name extends keyof Channels
  ? Channels[Name]
  : UnknownData

/** A message of a channel; `type` determines the type of its data. */
export type ChannelMessage<Name extends string> = {
  [Kind in keyof ChannelData<Name> & Message['type']]: Omit<Message, 'type' | 'data'> &
    Readonly<{ type: Kind; data: ChannelData<Name>[Kind] }>
}[keyof ChannelData<Name> & Message['type']]
