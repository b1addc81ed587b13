// During an upgrade, processes of the previous version use the new schema: scripts may add what
// these do not read, and must not remove or restrict anything.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../migrations')
const FIRST = '0001-schema.sql'

/** Changes that break processes of the previous version. */
const RULES: readonly (readonly [rule: string, breaks: (statement: string) => boolean])[] = [
  ['renames', (text) => /\bRENAME\b/i.test(text)],
  ['drops', (text) => /\b(DROP|TRUNCATE)\b/i.test(text)],
  ['changes a type', (text) => /\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i.test(text)],
  ['tightens a column', (text) => /\bSET NOT NULL\b/i.test(text)],
  ['adds a constraint', (text) => /\bADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\b/i.test(text)],
  ['adds a column that an older INSERT leaves out', addsRequired],
  ['makes old rows conflict', (text) => /\bCREATE UNIQUE INDEX\b/i.test(text)],
]

function addsRequired(text: string): boolean {
  const added = text.split(/\bADD COLUMN\b/i).slice(1)
  return added.some((column) => /\bNOT NULL\b/i.test(column) && !/\bDEFAULT\b/i.test(column))
}

/** Returns the violations of `script`. */
function breaches(script: string): string[] {
  const statements = script.replaceAll(/--.*$/gm, '').split(';')
  return statements.flatMap((text) =>
    RULES.filter(([, breaks]) => breaks(text)).map(([rule]) => rule),
  )
}

describe('a script of store/migrations', () => {
  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file !== FIRST))
    test(`${name} is compatible with processes of the previous version`, () => {
      assert.deepEqual(breaches(readFileSync(join(FOLDER, name), 'utf8')), [])
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
    test(`a migration that ${rule} is refused`, () => {
      assert.deepEqual(breaches(`SELECT 1; ${script};`), [rule])
    })

  test('a migration that adds tables, indexes and columns with a default is allowed', () => {
    const script = `-- DROP nothing
      ALTER TABLE a ADD COLUMN b text, ADD COLUMN c text NOT NULL DEFAULT '';
      CREATE TABLE d (e text NOT NULL); CREATE INDEX f ON d (e)`
    assert.deepEqual(breaches(script), [])
  })
})
