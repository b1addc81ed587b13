// Statements and their rows over a connection or a pool.
import { type ClientBase, type Pool, Query, type QueryArrayConfig } from 'pg'
import type { DbView, Param, Sql, SqlRow } from './db.ts'

/** Statement names by text. Texts are constants of this package, so there are few. */
const names = new Map<string, string>()

function statementName(text: string): string {
  const name = names.get(text) ?? `read_${names.size}`
  names.set(text, name)
  return name
}

/** The driver gives up after `query_timeout`; undefined: never. Missing in its types. */
type QueryTimeout = Readonly<{ query_timeout: number | undefined }>

const queryConfig = (text: string, params: readonly Param[]) =>
  ({
    name: statementName(text),
    text,
    values: [...params],
    rowMode: 'array',
  }) satisfies QueryArrayConfig

/** Returns a function that runs statements, which fail after `waitMs` without an answer. */
export const createSql = (runner: Pick<Pool | ClientBase, 'query'>, waitMs?: number): Sql => ({
  query: async (text, params: readonly Param[] = []) => {
    const timeout: QueryTimeout = { query_timeout: waitMs }
    const result = await runner.query({ ...queryConfig(text, params), ...timeout })
    return result.rows as unknown as SqlRow[]
  },
})

/** Also fails a stream without rows for `waitMs`; see `createSql`. */
export const createView = (client: ClientBase, waitMs?: number): DbView => ({
  ...createSql(client, waitMs),
  each: (text, params, take) =>
    eachRow(client, new Query(queryConfig(text, params)), { take, waitMs }),
})

type RowReceiver = Readonly<{ take: (row: SqlRow) => void; waitMs: number | undefined }>

/**
 * Passes the rows of `query` on as they arrive; the driver keeps none. Rejects with the first
 * error, after which the connection must be closed, since the rest of the answer may still arrive
 * and would delay the next call. The driver's own time limit cannot be used: it replaces the events
 * by which the query reports its end.
 */
const eachRow = (client: ClientBase, query: Query, { take, waitMs }: RowReceiver): Promise<void> =>
  new Promise((resolve, reject) => {
    const silent = () => fail(new Error(`timeout: nothing came for ${waitMs} ms`))
    const timer = waitMs === undefined ? undefined : setTimeout(silent, waitMs)
    let isOver = false
    const fail = (error: unknown) => {
      isOver = true
      clearTimeout(timer)
      reject(error)
    }
    query.on('row', (row: SqlRow) => {
      if (isOver) return
      timer?.refresh()
      try {
        take(row)
      } catch (error) {
        fail(error)
      }
    })
    query.on('error', fail)
    query.on('end', () => {
      clearTimeout(timer)
      resolve()
    })
    client.query(query)
  })
