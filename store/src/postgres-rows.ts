// Statements and their rows over one connection or a pool of them.
import { type ClientBase, type Pool, Query, type QueryArrayConfig } from 'pg'
import type { Param, Sql, SqlRow, View } from './db.ts'

/** Statement names by text. Texts are constants of this package, so there are few. */
const names = new Map<string, string>()

function statementName(text: string): string {
  const name = names.get(text) ?? `read_${names.size}`
  names.set(text, name)
  return name
}

/** The driver gives up after `query_timeout`; undefined: never. Its types do not know it. */
type Waiting = Readonly<{ query_timeout: number | undefined }>

const queryConfig = (text: string, params: readonly Param[]) =>
  ({
    name: statementName(text),
    text,
    values: [...params],
    rowMode: 'array',
  }) satisfies QueryArrayConfig

/** Returns what runs statements on `runner`. One that is not answered in `waitMs` fails. */
export const createSql = (runner: Pick<Pool | ClientBase, 'query'>, waitMs?: number): Sql => ({
  query: async (text, params: readonly Param[] = []) => {
    const waiting: Waiting = { query_timeout: waitMs }
    const result = await runner.query({ ...queryConfig(text, params), ...waiting })
    return result.rows as unknown as SqlRow[]
  },
})

/** As `createSql`; a stream of rows in which nothing comes for `waitMs` fails too. */
export const createView = (client: ClientBase, waitMs?: number): View => ({
  ...createSql(client, waitMs),
  each: (text, params, take) =>
    eachRow(client, new Query(queryConfig(text, params)), { take, waitMs }),
})

type Taking = Readonly<{ take: (row: SqlRow) => void; waitMs: number | undefined }>

/**
 * Hands over the rows of `query` as they come; the driver keeps none. Rejects with the first thing
 * that goes wrong: the rest of the answer may be on its way still, so the connection is to be
 * closed, or what is asked next waits for that rest. The driver's own time limit would not do: it
 * takes the place of the events by which the query says its end.
 */
const eachRow = (client: ClientBase, query: Query, { take, waitMs }: Taking): Promise<void> =>
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
