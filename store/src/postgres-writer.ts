// The one session that writes.
import { Client, type ClientBase } from 'pg'
import { prepareText, SESSION_SETTINGS, type Session, scriptOf, type Transaction } from './db.ts'
import { settings } from './postgres-pools.ts'
import { viewOf } from './postgres-rows.ts'
import { runScript } from './postgres-script.ts'

/** Names the advisory lock that the writer holds. */
const WRITER_LOCK = 0x6f76_656e

/** Opens the session as `Db.session` says. */
export async function openSession(url: string, lost: () => void): Promise<Session | undefined> {
  const client = new Client(settings(url, 'writer'))
  let isOpen = true
  const end = () => {
    if (isOpen) lost()
    isOpen = false
  }
  client.on('error', end)
  client.on('end', end)
  await client.connect()
  const lock = await client.query(`SELECT pg_try_advisory_lock(${WRITER_LOCK}) AS taken`)
  if (lock.rows[0]?.taken !== 't') {
    isOpen = false
    await client.end()
    return undefined
  }
  await client.query(SESSION_SETTINGS)
  return {
    prepare: async (statements) =>
      void (await client.query(`DEALLOCATE ALL;${statements.map(prepareText).join('')}`)),
    run: (steps) => runScript(client, steps),
    transaction: (work) => inTransaction(client, () => work(transactionOf(client))),
    isOpen: () => isOpen,
    close: () => client.end(),
  }
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    // When the connection is gone, so is the transaction, and the first error says more.
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

const transactionOf = (client: Client): Transaction => ({
  ...viewOf(client),
  run: async (calls) => void (await client.query(scriptOf(calls))),
})
