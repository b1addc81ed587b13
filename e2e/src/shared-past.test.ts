import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { copyPast } from './shared-past.ts'

const root = mkdtempSync(join(tmpdir(), 'openvenue-past-'))
after(() => rmSync(root, { recursive: true, force: true }))
const folder = () => mkdtempSync(join(root, 'data-'))

describe('the shared history of test venues', () => {
  test('the history of test venues is made once, and each test gets its own copy', async () => {
    const shared = folder()
    let made = 0
    const make = async (path: string) => {
      made += 1
      writeFileSync(join(path, 'chain.state'), 'blocks')
    }
    const folders = [folder(), folder(), folder()]
    const copied = await Promise.all(folders.map((data) => copyPast(data, make, shared)))
    assert.deepEqual([copied, made], [[true, true, true], 1])
    assert.equal(await copyPast(folder(), () => assert.fail('made twice'), shared), true)
    writeFileSync(join(folders[0] ?? '', 'chain.state'), 'other blocks')
    assert.equal(readFileSync(join(folders[1] ?? '', 'chain.state'), 'utf8'), 'blocks')
  })

  test('no history of test venues is shared without a folder for it', async () => {
    const make = () => assert.fail('must not be called')
    assert.equal(await copyPast(folder(), make, undefined), false)
  })
})
