// Into which partitions the plans of a read look: those that were run, not those that a plan could
// have looked into.
import type { Db, Sql } from '@openvenue/store/db'
import { PARTITIONED, TABLES } from '@openvenue/store/tables'

const PARTITION = new RegExp(`^(${PARTITIONED.map((what) => TABLES[what].name).join('|')})_\\w+$`)

type Node = Readonly<{
  'Relation Name'?: string
  'Actual Loops'?: number
  Plans?: readonly Node[]
}>
type Explained = readonly [Readonly<{ Plan: Node }>]

/** Returns a database whose reads are explained too; `looked` gets what they looked into. */
export function watched(db: Db, looked: Set<string>): Db {
  const watch = (sql: Sql): Sql => ({
    query: async (text, params) => {
      if (/^\s*(SELECT|WITH)/.test(text)) {
        const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`
        const [[json] = []] = await sql.query(explain, params)
        // PGlite has parsed it already.
        const given: unknown = json
        const [{ Plan }] = (typeof given === 'string' ? JSON.parse(given) : given) as Explained
        addLooked(Plan, looked)
      }
      return sql.query(text, params)
    },
  })
  return { ...db, primary: watch(db.primary), replica: watch(db.replica) }
}

function addLooked(node: Node, looked: Set<string>): void {
  const name = node['Relation Name']
  if (name !== undefined && PARTITION.test(name) && (node['Actual Loops'] ?? 0) > 0)
    looked.add(name)
  for (const child of node.Plans ?? []) addLooked(child, looked)
}
