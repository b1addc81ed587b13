// Parses the bodies that the routes of notifications are sent.
import { NOTIFICATION_TYPES } from '@openvenue/core/notifications'
import type { NotificationPreferences } from '@openvenue/store/notifications'
import { parseTimeNs } from '@openvenue/wire/funding'
import { CHANNELS, NOTIFICATION_IDS_MAX } from '@openvenue/wire/notifications'
import type { FieldError } from '../http/refusals.ts'
import { fieldRefusal, missing } from '../http/validation.ts'
import { requireMembers } from '../identity/registration-body.ts'

/** Whether a text may be the id of a notification; any other is the id of none. */
export const isNotificationId = (id: string): boolean => /^[\w-]{1,150}$/.test(id)

const invalid = (
  field: string,
  rule: string,
  near: Pick<FieldError, 'nearest' | 'allowed'> = {},
): FieldError => ({ field, code: 'INVALID_PARAMETER', message: `${field} ${rule}`, ...near })

/** Returns whether to mark as read (true) or as unread. No body is true. */
export function parseReadFlag(body: unknown): boolean {
  const { read = true } = requireMembers(body ?? {})
  if (typeof read === 'boolean') return read
  throw fieldRefusal([invalid('read', 'is true or false')])
}

/** Returns the ids to mark; those that can be none are left out. */
export function parseIds(body: unknown): readonly string[] {
  const { ids } = requireMembers(body ?? {})
  if (ids === undefined || ids === null) throw fieldRefusal([missing('ids', 'body member ids')])
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
  if (!isList) throw fieldRefusal([invalid('ids', 'is a list of ids, each a text')])
  if (ids.length < 1 || ids.length > NOTIFICATION_IDS_MAX) {
    const rule = `has 1 to ${NOTIFICATION_IDS_MAX} ids`
    throw fieldRefusal([
      invalid('ids', rule, { nearest: ids.length < 1 ? 1 : NOTIFICATION_IDS_MAX }),
    ])
  }
  return ids.filter(isNotificationId)
}

const TIME_DIGITS_MAX = 20
const NS_PER_S = 1_000_000_000n

/** Returns the last second that lies before `before`; undefined when the body names no time. */
export function parseBeforeSeconds(body: unknown): number | undefined {
  const { before } = requireMembers(body ?? {})
  if (before === undefined || before === null) return undefined
  const text = typeof before === 'string' ? before : String(before)
  const isTime = ['string', 'number', 'bigint'].includes(typeof before) && /^\d+$/.test(text)
  if (!isTime || text.length > TIME_DIGITS_MAX) {
    const rule = `is a Unix time in seconds, milliseconds or nanoseconds: 1 to ${TIME_DIGITS_MAX} digits`
    throw fieldRefusal([invalid('before', rule)])
  }
  return Number((parseTimeNs(text) + NS_PER_S - 1n) / NS_PER_S) - 1
}

/** Returns what a body changes. Unknown names and what is not offered are refused. */
export function parsePreferencesChange(body: unknown): Partial<NotificationPreferences> {
  const { channels, types } = requireMembers(body ?? {})
  const errors: FieldError[] = []
  const chosen = {
    channels: parseChoices('channels', channels, { known: CHANNELS, errors }),
    types: parseChoices('types', types, { known: NOTIFICATION_TYPES, errors }),
  }
  const { in_app: inApp, websocket, webhook } = chosen.channels
  if (webhook === true)
    errors.push(invalid('channels.webhook', 'is false: none is sent', { nearest: 'false' }))
  if (errors.length > 0) throw fieldRefusal(errors)
  return {
    ...(inApp === undefined ? {} : { inApp }),
    ...(websocket === undefined ? {} : { websocket }),
    types: chosen.types,
  }
}

type Choices = Readonly<{ known: readonly string[]; errors: FieldError[] }>

function parseChoices(
  field: string,
  value: unknown,
  { known, errors }: Choices,
): Readonly<Record<string, boolean>> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push(invalid(field, 'is an object'))
    return {}
  }
  const choices: Record<string, boolean> = {}
  const entries = Object.entries(value)
  // Said once, however many there are: an answer must not be many times what was sent.
  if (entries.some(([name]) => !known.includes(name)))
    errors.push(invalid(field, `has only ${known.join(', ')}`, { allowed: known }))
  for (const [name, choice] of entries.filter(([name]) => known.includes(name))) {
    if (typeof choice !== 'boolean') errors.push(invalid(`${field}.${name}`, 'is true or false'))
    else choices[name] = choice
  }
  return choices
}
