// Partitions that the executed plans of a read access, as opposed to those that a plan could
// access.
import type { ReadFrom } from '@openvenue/store/db/block-read'
import { type Db, type DbView, type Param, type Sql, standardLiteral } from '@openvenue/store/db/db'
import { PARTITIONED, TABLES } from '@openvenue/store/db/tables'

const PARTITION = new RegExp(`^(${PARTITIONED.map((table) => TABLES[table].name).join('|')})_\\d+$`)

type PlanNode = Readonly<{
  'Relation Name'?: string
  'Actual Loops'?: number
  Plans?: readonly PlanNode[]
}>
type ExplainRow = readonly [Readonly<{ Plan: PlanNode }>]

/**
 * Returns a database that explains its reads and adds the partitions that they access to
 * `accessed`. Each read is explained as a prepared statement on a connection of the same pool, like
 * the read itself: with literal parameters it would get a different plan.
 */
export function explainReads(db: Db, accessed: Set<string>): Db {
  const explainSql = (sql: Sql, from: ReadFrom): Sql => ({
    query: async (text, params) => {
      if (IS_READ.test(text))
        await db.readTransaction((read) => explainInto(read, text, params), from)
      return sql.query(text, params)
    },
  })
  const explainView = (view: DbView): DbView => ({
    ...view,
    query: async (text, params) => {
      if (IS_READ.test(text)) await explainInto(view, text, params)
      return view.query(text, params)
    },
  })
  const explainInto = async (sql: Sql, text: string, params: readonly Param[] = []) =>
    addAccessed(await explain(sql, text, params), accessed)
  return {
    ...db,
    primary: explainSql(db.primary, 'primary'),
    replica: explainSql(db.replica, 'replica'),
    readTransaction: (work, from) => db.readTransaction((view) => work(explainView(view)), from),
  }
}

const IS_READ = /^\s*(SELECT|WITH)/

let prepared = 0

async function explain(sql: Sql, text: string, params: readonly Param[]): Promise<PlanNode> {
  const name = `plan_${prepared++}`
  await sql.query(`PREPARE ${name} AS ${text}`)
  const values = params.map((param) => (param === null ? 'NULL' : standardLiteral(String(param))))
  const given = values.length === 0 ? '' : `(${values.join(', ')})`
  const [[json] = []] = await sql.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}${given}`)
  await sql.query(`DEALLOCATE ${name}`)
  // PGlite returns parsed JSON.
  const parsed: unknown = json
  const [{ Plan }] = (typeof parsed === 'string' ? JSON.parse(parsed) : parsed) as ExplainRow
  return Plan
}

function addAccessed(node: PlanNode, accessed: Set<string>): void {
  const name = node['Relation Name']
  if (name !== undefined && PARTITION.test(name) && (node['Actual Loops'] ?? 0) > 0)
    accessed.add(name)
  for (const child of node.Plans ?? []) addAccessed(child, accessed)
}
