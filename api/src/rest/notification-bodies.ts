// Parses the request bodies of the notification routes.
import { NOTIFICATION_TYPES } from '@openvenue/core/notifications'
import type { NotificationPreferences } from '@openvenue/store/history/notifications'
import { parseTimeNs } from '@openvenue/wire/funding'
import { CHANNELS, NOTIFICATION_IDS_MAX } from '@openvenue/wire/notifications'
import type { FieldError } from '../http/refusals.ts'
import { fieldRefusal, invalid, missing } from '../http/validation.ts'
import { requireMembers } from '../identity/registration-body.ts'

/** Returns whether a text has the form of a notification id; others cannot exist. */
export const isNotificationId = (id: string): boolean => /^[\w-]{1,150}$/.test(id)

/** Returns whether to mark as read (true) or as unread. A missing body means true. */
export function parseReadFlag(body: unknown): boolean {
  const { read = true } = requireMembers(body ?? {})
  if (typeof read === 'boolean') return read
  throw fieldRefusal([invalid('read', 'true or false', { given: read })])
}

/** Returns the ids to mark; those that cannot exist are left out. */
export function parseIds(body: unknown): readonly string[] {
  const { ids } = requireMembers(body ?? {})
  if (ids === undefined || ids === null) throw fieldRefusal([missing('ids', 'body member ids')])
  const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string')
  if (!isList) throw fieldRefusal([invalid('ids', 'a list of text ids', { given: ids })])
  if (ids.length < 1 || ids.length > NOTIFICATION_IDS_MAX) {
    const rule = `a list of 1 to ${NOTIFICATION_IDS_MAX} ids`
    throw fieldRefusal([
      invalid('ids', rule, { given: ids, nearest: ids.length < 1 ? 1 : NOTIFICATION_IDS_MAX }),
    ])
  }
  return ids.filter(isNotificationId)
}

const TIME_DIGITS_MAX = 20
const NS_PER_S = 1_000_000_000n

/** Returns the last second before `before`; undefined when the body has no time. */
export function parseBeforeSeconds(body: unknown): number | undefined {
  const { before } = requireMembers(body ?? {})
  if (before === undefined || before === null) return undefined
  const text = typeof before === 'string' ? before : String(before)
  const isTime = ['string', 'number', 'bigint'].includes(typeof before) && /^\d+$/.test(text)
  if (!isTime || text.length > TIME_DIGITS_MAX) {
    const rule = `Unix seconds, milliseconds or nanoseconds of 1 to ${TIME_DIGITS_MAX} digits`
    throw fieldRefusal([invalid('before', rule, { given: before })])
  }
  return Number((parseTimeNs(text) + NS_PER_S - 1n) / NS_PER_S) - 1
}

/** Returns the changes in a body. Unknown names and unavailable options are refused. */
export function parsePreferencesChange(body: unknown): Partial<NotificationPreferences> {
  const { channels, types } = requireMembers(body ?? {})
  const errors: FieldError[] = []
  const chosen = {
    channels: parseChoices('channels', channels, { known: CHANNELS, errors }),
    types: parseChoices('types', types, { known: NOTIFICATION_TYPES, errors }),
  }
  const { in_app: inApp, websocket, webhook } = chosen.channels
  if (webhook === true)
    errors.push(
      invalid('channels.webhook', 'false', { fault: 'is not supported', nearest: 'false' }),
    )
  if (errors.length > 0) throw fieldRefusal(errors)
  return {
    ...(inApp === undefined ? {} : { inApp }),
    ...(websocket === undefined ? {} : { websocket }),
    types: chosen.types,
  }
}

function parseChoices(
  field: string,
  value: unknown,
  { known, errors }: Readonly<{ known: readonly string[]; errors: FieldError[] }>,
): Readonly<Record<string, boolean>> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    errors.push(invalid(field, 'an object', { given: value }))
    return {}
  }
  const choices: Record<string, boolean> = {}
  const entries = Object.entries(value)
  // Reported once, however many there are, so that the answer is not a multiple of the request.
  if (entries.some(([name]) => !known.includes(name)))
    errors.push(invalid(field, known.join(', '), { fault: 'has unknown members', allowed: known }))
  for (const [name, choice] of entries.filter(([name]) => known.includes(name))) {
    if (typeof choice === 'boolean') choices[name] = choice
    else errors.push(invalid(`${field}.${name}`, 'true or false', { given: choice }))
  }
  return choices
}
