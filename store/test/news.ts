// Makes the news of one process, as if it opened `db`: for tests.
import type { Db } from '../src/db.ts'
import { createQueuedNews } from '../src/key-relay-rows.ts'
import { AddedNews } from '../src/notification-rows.ts'

export const newsOf = (db: Db) => ({ queued: createQueuedNews(), added: new AddedNews(db) })
