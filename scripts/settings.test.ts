// The list of settings equals what the services read and what the guide describes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SECRETS } from '@openvenue/runtime/secret-files'
import { SETTING_NAMES, SETTINGS } from '@openvenue/runtime/settings'
import { parseConfig as parseApi } from '../api/src/node/config.ts'
import { parseConfig as parseDevnet } from '../devnet/src/config.ts'
import { parseConfig as parseIndexer } from '../indexer/src/config.ts'
import { parseConfig as parseKeeper } from '../keeper/src/config.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/OPERATING.md'), 'utf8')
const names = Object.values(SETTINGS).flat().toSorted()

/** Returns the names in the first column of the tables in a section of the guide. */
function documented(section: string): readonly string[] {
  const [, text = ''] = guide.split(`### ${section}\n`)
  const [own = ''] = text.split('\n#')
  return own.split('\n').flatMap((line) => {
    const [, column = ''] = /^\|([^|]*)\|/.exec(line) ?? []
    return [...column.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name)
  })
}

/** Returns every variable that a service or the devnet reads. */
function variablesRead(): readonly string[] {
  const read = new Set<string>()
  const needed: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://127.0.0.1/venue',
    KEEPER_KEY: `0x${'1'.repeat(64)}`,
    KEEPER_PRICE_URL: 'http://127.0.0.1',
  }
  const watched = (env: Readonly<Record<string, string>>) =>
    new Proxy(env, {
      get: (target, name) => {
        read.add(String(name))
        return target[String(name)]
      },
    })
  for (const parse of [parseApi, parseIndexer, parseKeeper]) parse(watched(needed))
  parseDevnet(watched({}))
  const isSetting = (name: string) =>
    name !== 'OPENVENUE_CONFIG' && !SECRETS.some((secret) => name === `${secret}_FILE`)
  return [...read].filter(isSetting).toSorted()
}

describe('the list of settings', () => {
  test('the list of settings has every variable that a service reads, and no other', () => {
    assert.deepEqual(variablesRead(), names)
    assert.equal(new Set(names).size, names.length)
  })

  for (const [section, list] of Object.entries(SETTINGS))
    test(`the guide describes the settings of ${section} and no others`, () => {
      assert.deepEqual(documented(section).toSorted(), list.toSorted())
    })

  test('the list of settings has every setting of .env.example', () => {
    const example = readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8')
    const given = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
    assert.ok(given.length > 10)
    assert.deepEqual(
      given.filter((name) => !SETTING_NAMES.has(name)),
      [],
    )
  })
})
