// Classifies every table by what happens to it when the database is lost. A test compares these
// lists with the schema, so that no migration forgets a table.
import { kinds, TABLES } from './tables.ts'

/** Emptied before the chain is reindexed. */
export const WIPED_TABLES: readonly string[] = [
  ...['blocks', 'feed', 'undo', 'history_counts', 'account_days'],
  ...kinds.map((kind) => TABLES[kind].name),
]

/** Restored from the chain. Backups include the part of the checkpoint that is not on chain. */
export const CHAIN_TABLES: readonly string[] = ['checkpoint', ...WIPED_TABLES]

/** Exist only in the venue's database, and are backed up. */
export const KEPT_TABLES: readonly string[] = [
  ...['registrations', 'api_keys', 'invites', 'used_signatures', 'used_request_signatures'],
  ...['notifications', 'notification_preferences', 'margin_warnings', 'equity_snapshots'],
  ...['key_relays', 'intents', 'intent_log', 'intent_head', 'order_origins', 'order_budgets'],
  ...['cancel_timers', 'disconnect_rules', 'mmp_rules', 'safeguard_head'],
]

/** Backed-up tables with one row from the start. */
export const HEAD_TABLES: readonly string[] = ['intent_head', 'safeguard_head']

/** Status of running processes, recreated at their start, and the schema's own tables. */
export const PASSING_TABLES: readonly string[] = [
  ...['socket_nodes', 'ended_connections', 'relay_status', 'migrations', 'feed_key'],
]
