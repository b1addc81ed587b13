import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { spotBytecode } from '../abi/spot.ts'
import { OUT, provideShipped, SOURCES_FILE, sourcesText } from './shipped.ts'

const sourcesFile = join(OUT, SOURCES_FILE)
const artifact = join(OUT, 'Spot.sol', 'Spot.json')

test('artifacts of other sources are replaced by those of the current ones', () => {
  provideShipped()
  writeFileSync(sourcesFile, 'of other sources')
  provideShipped()
  assert.equal(readFileSync(sourcesFile, 'utf8'), sourcesText())
  const { bytecode } = JSON.parse(readFileSync(artifact, 'utf8')) as Artifact
  assert.equal(bytecode.object, spotBytecode)
})

type Artifact = Readonly<{ bytecode: Readonly<{ object: string }> }>
