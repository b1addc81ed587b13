// While a venue is upgraded, processes of the version before go on beside the new schema: a script
// may add what they do not look at, and take away or tighten nothing.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../migrations')
const FIRST = '0001-venue.sql'

/** What breaks a process that knows the tables as they were. */
const RULES: readonly (readonly [rule: string, breaks: (statement: string) => boolean])[] = [
  ['renames', (text) => /\bRENAME\b/i.test(text)],
  ['drops', (text) => /\b(DROP|TRUNCATE)\b/i.test(text)],
  ['changes a type', (text) => /\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(text)],
  ['tightens a column', (text) => /\bSET NOT NULL\b/i.test(text)],
  ['adds a constraint', (text) => /\bADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\b/i.test(text)],
  ['adds a column that an older INSERT leaves out', addsRequired],
  ['makes old rows conflict', (text) => /\bCREATE UNIQUE INDEX\b/i.test(text)],
]

/** Scripts that may break some of them, since what they replace stands again when they end. */
const LIFTED: Readonly<Record<string, readonly string[]>> = {
  '0012-partitions.sql': ['renames', 'drops', 'adds a constraint'],
}

function addsRequired(text: string): boolean {
  const added = text.split(/\bADD COLUMN\b/i).slice(1)
  return added.some((column) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column))
}

/** Returns what `script` does that it may not. */
function breaches(script: string): string[] {
  const statements = script.replaceAll(/--.*$/gm, '').split(';')
  return statements.flatMap((text) =>
    RULES.filter(([, breaks]) => breaks(text)).map(([rule]) => rule),
  )
}

describe('a script of store/migrations', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file !== FIRST))
    test(`${name} leaves processes of the version before as they are`, () => {
      const found = breaches(readFileSync(join(FOLDER, name), 'utf8'))
      assert.deepEqual(
        found.filter((rule) => !LIFTED[name]?.includes(rule)),
        [],
      )
    })

  for (const [script, rule] of [
    ['ALTER TABLE a RENAME COLUMN b TO c', 'renames'],
    ['ALTER TABLE a DROP COLUMN b', 'drops'],
    ['ALTER TABLE a ALTER COLUMN b TYPE numeric', 'changes a type'],
    ['ALTER TABLE a ALTER b SET NOT NULL', 'tightens a column'],
    ['ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)', 'adds a constraint'],
    ['ALTER TABLE a ADD COLUMN b text NOT NULL', 'adds a column that an older INSERT leaves out'],
    ['CREATE UNIQUE INDEX i ON a (b)', 'makes old rows conflict'],
  ] as const)
    test(`one that ${rule} is refused`, () => {
      assert.deepEqual(breaches(`SELECT 1; ${script};`), [rule])
    })

  test('one that adds tables, indexes and columns with a default is not', () => {
    const script = `-- DROP nothing
      ALTER TABLE a ADD COLUMN b text, ADD COLUMN c text NOT NULL DEFAULT '';
      CREATE TABLE d (e text NOT NULL); CREATE INDEX f ON d (e)`
    assert.deepEqual(breaches(script), [])
  })
})
