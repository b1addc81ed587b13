// Messages among the keepers of a database. None is stored.
import type { Db } from './db.ts'

export type Announcements = Readonly<{
  /** Sends a text of at most 7,999 bytes to every process that listens. */
  announce(text: string): Promise<void>
  /**
   * Calls `take` with texts, including those of this process, and with undefined when earlier ones
   * may be missing. Returns the function that stops it.
   */
  onAnnounced(take: (text: string | undefined) => void): () => void
}>

const CHANNEL = 'openvenue_keepers'

export const createAnnouncements = (db: Db): Announcements => ({
  announce: async (text) =>
    void (await db.primary.query('SELECT pg_notify($1, $2)::text', [CHANNEL, text])),
  onAnnounced: (take) => db.listen(CHANNEL, take),
})
