import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  readDeployment,
  requireDeployment,
  type WholeDeployment,
  writeDeployment,
} from './deployment.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-deployment-'))
const path = join(dataDir, 'deployment.json')
after(() => rmSync(dataDir, { recursive: true, force: true }))

test('the deployment file is read as it was written', () => {
  assert.equal(readDeployment(dataDir), undefined)
  assert.throws(() => requireDeployment(dataDir), /holds no venue: run npm start first/)
  const deployment = { chainId: 31337, perps: '0x1', startBlock: 1 } as WholeDeployment
  writeDeployment(dataDir, deployment)
  assert.deepEqual(requireDeployment(dataDir), deployment)
})

test('a deployment with contracts of another or an unknown version is refused', () => {
  const written = JSON.parse(readFileSync(path, 'utf8'))
  for (const contracts of ['0'.repeat(64), undefined]) {
    writeFileSync(path, JSON.stringify({ ...written, contracts }))
    assert.throws(() => readDeployment(dataDir), /contracts of another version: delete it/)
  }
})
