// Creates the news of one process, as if it opened `db`: for tests.
import type { Db } from '../src/db/db.ts'
import { AddedNews } from '../src/history/notification-rows.ts'
import { createQueuedNews } from '../src/identity/key-relay-rows.ts'

export const newsOf = (db: Db) => ({ queued: createQueuedNews(), added: new AddedNews(db) })
