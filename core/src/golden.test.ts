// Scenarios with reviewed changes. After an intended change of behaviour, rewrite them with `node
// --test --test-update-snapshots core/src/golden.test.ts` and give the reason in the commit. The
// devnet-* scenarios were recorded on a real chain: `node devnet/test/recording/record-golden.ts`
// records them again.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { decodeGolden, encodeGolden, renderGolden } from '../test/scenario/golden.ts'

const FOLDER = join(import.meta.dirname, '../golden')
const EVENTS = '.events.jsonl'

describe('the golden scenario', () => {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(EVENTS))) {
    const text = readFileSync(join(FOLDER, file), 'utf8')
    const golden = decodeGolden(text)
    test(`${file.slice(0, -EVENTS.length)} yields the reviewed changes: ${golden.title}`, (t) => {
      assert.equal(encodeGolden(golden), text)
      const path = join(FOLDER, file.replace(EVENTS, '.changes.json'))
      t.assert.fileSnapshot(renderGolden(golden), path, { serializers: [String] })
    })
  }
})
