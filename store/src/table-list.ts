// Every table of the schema by what becomes of it when the database is lost. A test compares these
// lists with the schema, so that a migration cannot forget a table.
import { kinds, TABLES } from './tables.ts'

/** Emptied before the chain is read anew. */
export const WIPED_TABLES: readonly string[] = [
  ...['blocks', 'feed', 'undo', 'history_counts', 'account_days'],
  ...kinds.map((what) => TABLES[what].name),
]

/** The chain gives them back. Of the checkpoint a backup has what the chain does not know. */
export const CHAIN_TABLES: readonly string[] = ['checkpoint', ...WIPED_TABLES]

/** Nobody but the venue has them: they are backed up. */
export const KEPT_TABLES: readonly string[] = [
  ...['registrations', 'api_keys', 'invites', 'used_signatures', 'used_request_signatures'],
  ...['notifications', 'notification_preferences', 'margin_warnings', 'equity_snapshots'],
  ...['key_relays', 'intents', 'intent_log', 'intent_head', 'order_origins', 'order_budgets'],
  ...['cancel_timers', 'disconnect_rules', 'mmp_rules', 'safeguard_head'],
]

/** Kept tables that have one row from the beginning. */
export const HEAD_TABLES: readonly string[] = ['intent_head', 'safeguard_head']

/** What running processes say of themselves, made anew when they start, and the schema's own. */
export const PASSING_TABLES: readonly string[] = [
  ...['socket_nodes', 'ended_connections', 'relay_status', 'migrations'],
]
