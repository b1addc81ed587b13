// The file with the addresses of the contracts, as every service reads it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { deploymentFields, readDeploymentFile } from './deployment-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'openvenue-deployment-'))
after(() => rmSync(folder, { recursive: true }))

/** Reads a file of `content` for the chain 5. */
function read(content: object): unknown {
  const path = join(folder, 'deployment.json')
  writeFileSync(path, JSON.stringify(content))
  return readDeploymentFile(path, (value) => deploymentFields(value).spot, 5)
}

test("a deployment file of the service's chain is read, and so is one that names no chain", () => {
  assert.equal(read({ chainId: 5, spot: '0x1' }), '0x1')
  assert.equal(read({ spot: '0x2' }), '0x2')
})

for (const chainId of [7, '5', null])
  test(`a deployment file of chain ${JSON.stringify(chainId)} is refused before its contracts are used`, () => {
    assert.throws(() => read({ chainId, spot: '0x1' }), {
      name: 'ConfigInvalid',
      message: `${join(folder, 'deployment.json')}: chainId is wrong: got ${chainId}, expected 5, the chain of NETWORK or CHAIN_ID`,
    })
  })
