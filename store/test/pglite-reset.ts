// Resets a used PGlite to the image that it was opened from, which is much faster than opening
// another one. The catalogue is compared at the end: an instance that differs must not be reused.
import type { PGlite } from '@electric-sql/pglite'

/** State of a database just opened from the image. */
export type Baseline = Readonly<{
  tables: readonly string[]
  /** Rows of the tables that are not empty, as JSON arrays. */
  rows: ReadonlyMap<string, string>
  /** `(oid, relpages, reltuples, relallvisible)` of each relation, for VALUES. */
  sizes: string
  /** Objects created later have a higher one. */
  oidMax: number
  catalogue: string
}>

/** The first OID that is not one of the server's own objects. */
const FIRST_OID = 16_384
const TABLES = `SELECT c.oid::regclass::text FROM pg_class c
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY c.oid`
const SIZES = `SELECT string_agg(format('(%s::oid, %s, %s::real, %s)', oid, relpages, reltuples,
    relallvisible), ', ' ORDER BY oid)
  FROM pg_class WHERE oid >= ${FIRST_OID} AND relkind IN ('r', 'i', 't', 'p', 'I')`
const OID_MAX = `SELECT max(oid)::int FROM (SELECT oid FROM pg_class UNION ALL SELECT oid FROM pg_type
  UNION ALL SELECT oid FROM pg_proc UNION ALL SELECT oid FROM pg_constraint) objects`

/** Catalogues of definitions: any change writes a row with a higher `xmin` or removes one. */
const CATALOGUES = [
  'pg_attribute WHERE attrelid >= FIRST',
  'pg_index WHERE indexrelid >= FIRST',
  'pg_proc WHERE oid >= FIRST',
  'pg_rewrite WHERE oid >= FIRST',
  "pg_namespace WHERE nspname NOT LIKE '%temp\\_%'",
  ...['pg_attrdef', 'pg_constraint', 'pg_trigger', 'pg_policy', 'pg_extension'],
  ...['pg_event_trigger', 'pg_statistic_ext', 'pg_authid', 'pg_db_role_setting'],
].map((name) => name.replace('FIRST', String(FIRST_OID)))

/** Rows of pg_class and pg_type change with every truncation and renaming: their content counts. */
const CATALOGUE = `SELECT concat_ws(' ', ${[
  `(SELECT sum(hashtext((oid, relname, relnamespace, relkind, relowner, relacl, reloptions,
      relpersistence, relrowsecurity)::text)) FROM pg_class
    WHERE oid >= ${FIRST_OID} AND relnamespace <> 'pg_toast'::regnamespace)`,
  `(SELECT sum(hashtext((oid, typname, typnamespace)::text)) FROM pg_type WHERE oid >= ${FIRST_OID})`,
  ...CATALOGUES.map((name) => `(SELECT (count(*), max(xmin::text::bigint))::text FROM ${name})`),
].join(', ')})`

/** Tables go before their sequences and indexes, which may then no longer exist. */
const dropNewer = (oidMax: number) => `
  FOREACH command IN ARRAY ARRAY(
    SELECT format('DROP %s IF EXISTS %s CASCADE',
        CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
          WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, oid::regclass)
      FROM pg_class WHERE oid > ${oidMax} AND relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p', 'v', 'm', 'S', 'i') ORDER BY relkind IN ('S', 'i'), relkind = 'i'
  ) || ARRAY(
    SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure)
      FROM pg_proc WHERE oid > ${oidMax} AND pronamespace = 'public'::regnamespace
  ) LOOP EXECUTE command; END LOOP;`

/**
 * Deletes where a few pages may hold rows: truncating takes ten times as long, as it writes files
 * for the table and its indexes. Plans do not differ, since the planner expects at least ten pages
 * of a table that was never analyzed.
 */
const PAGES_MAX = 10
const PAGE_BYTES = 8192

const emptyTables = (tables: readonly string[]) => `
  FOREACH command IN ARRAY '{${tables.join(',')}}'::text[] LOOP
    bytes := pg_relation_size(command);
    IF bytes > ${PAGES_MAX * PAGE_BYTES} THEN large := large || command;
    ELSIF bytes > 0 THEN EXECUTE 'DELETE FROM ' || command; END IF;
  END LOOP;
  IF large <> '{}' THEN EXECUTE 'TRUNCATE ' || array_to_string(large, ', '); END IF;`

const restoreRows = (rows: Baseline['rows']) =>
  [...rows]
    .map(
      ([table, json]) => `INSERT INTO ${table}
        SELECT * FROM json_populate_recordset(NULL::${table}, $rows$${json}$rows$);`,
    )
    .join('')

/** Plans must be those of tables that were never analyzed. */
const forgetSizes = (sizes: string) => `
  DELETE FROM pg_statistic WHERE starelid >= ${FIRST_OID};
  UPDATE pg_class c SET relpages = s.pages, reltuples = s.tuples, relallvisible = s.visible
    FROM (VALUES ${sizes}) s (oid, pages, tuples, visible)
    WHERE s.oid = c.oid AND (c.relpages, c.reltuples, c.relallvisible)
      IS DISTINCT FROM (s.pages, s.tuples, s.visible);
  PERFORM setval(seqrelid, 1, false) FROM pg_sequence
    WHERE pg_sequence_last_value(seqrelid) IS NOT NULL;`

/** Reads the baseline from `lite`, which was just opened. */
export async function readBaseline(lite: PGlite): Promise<Baseline> {
  const tables = (await ask(lite, TABLES)).map(([name]) => String(name))
  const rows = await ask(
    lite,
    tables
      .map((table) => `SELECT '${table}', json_agg(t)::text FROM ${table} t HAVING count(*) > 0`)
      .join(' UNION ALL '),
  )
  const [[sizes] = []] = await ask(lite, SIZES)
  const [[oidMax] = []] = await ask(lite, OID_MAX)
  return {
    tables,
    rows: new Map(rows.map(([table, json]) => [String(table), String(json)])),
    sizes: String(sizes),
    oidMax: Number(oidMax),
    catalogue: await readCatalogue(lite),
  }
}

/** Ends what a closed session has left open: its transaction, settings and statements. */
export async function endSession(lite: PGlite): Promise<void> {
  await lite.exec('ROLLBACK')
  await lite.exec('DISCARD ALL')
}

/** Makes `lite` equal to the database that `baseline` was read from; throws when it cannot. */
export async function reset(lite: PGlite, baseline: Baseline): Promise<void> {
  await endSession(lite)
  const { tables, rows, sizes, oidMax, catalogue } = baseline
  await lite.exec(`DO $reset$
    DECLARE command text; bytes bigint; large text[] := '{}';
    BEGIN
      ${dropNewer(oidMax)}
      ${emptyTables(tables)}
      ${restoreRows(rows)}
      ${forgetSizes(sizes)}
    END $reset$`)
  if ((await readCatalogue(lite)) !== catalogue) throw new Error('a definition was changed')
}

async function readCatalogue(lite: PGlite): Promise<string> {
  const [[catalogue] = []] = await ask(lite, CATALOGUE)
  return String(catalogue)
}

/** Returns the rows of a query without parameters. */
async function ask(lite: PGlite, text: string) {
  const [result] = await lite.exec(text, { rowMode: 'array' })
  return (result?.rows ?? []) as unknown as (readonly unknown[])[]
}
