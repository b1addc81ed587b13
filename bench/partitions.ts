// Measures whether reads of history are as fast after years as at the beginning.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

/** Disables durability, since the server is discarded afterwards. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=2GB',
  'shared_buffers=2GB',
  'autovacuum=off',
]

export function measurePartitions(rows: number): Promise<Section> {
  process.env.POSTGRES_SETTINGS = SETTINGS.join(' ')
  return besideServices<Section>('./partitions-run.ts', [String(rows)])
}
