// The bill of materials against what npm installed here, and the actions that CI trusts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type LockFile, makeBom } from './bom.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const bom = makeBom(read('package-lock.json') as LockFile)

test('the bill of materials has every installed package in its version', () => {
  const listed = new Set(bom.components.map(({ name, version }) => `${name}@${version}`))
  const { packages } = read('node_modules/.package-lock.json') as LockFile
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
  assert.ok(installed.length > 300, `${installed.length} packages`)
  const absent = installed.filter(
    ([path, { name, version }]) =>
      !listed.has(`${name ?? path.split('node_modules/').at(-1)}@${version}`),
  )
  assert.deepEqual(
    absent.map(([path]) => path),
    [],
  )
})

test('the bill of materials is CycloneDX 1.5: each component has a reference, a package URL and a checksum', () => {
  assert.deepEqual([bom.bomFormat, bom.specVersion, bom.version], ['CycloneDX', '1.5', 1])
  const references = bom.components.map((component) => component['bom-ref'])
  assert.equal(new Set(references).size, references.length)
  for (const { purl, name, version, scope, hashes = [] } of bom.components) {
    assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/, `${name} ${version}`)
    // The lock file has no hashes of the linter's programs for other systems.
    if (scope !== 'excluded') assert.ok(hashes.length > 0, `${purl} has a checksum`)
    for (const { alg, content } of hashes)
      assert.match(content, alg === 'SHA-512' ? /^[0-9a-f]{128}$/ : /^[0-9a-f]{40}$/)
  }
})

test('the bill of materials marks packages of services as required, even if development uses them too', () => {
  const scopes = new Map(bom.components.map(({ name, scope }) => [name, scope]))
  assert.equal(scopes.get('fastify'), 'required')
  assert.equal(scopes.get('@biomejs/biome'), 'excluded')
})

test('CI checks the signatures of packages and stores the bill of materials', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8')
  assert.match(workflow, /- run: npm audit signatures\n/)
  assert.match(workflow, /npm run check -- static sbom/)
  assert.match(workflow, /path: sbom\.cdx\.json\n/)
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), /^npm run check -- .*\bsbom\b/m)
})

test('the workflows of CI pin actions to a commit', () => {
  const used = globSync('.github/workflows/*.yml', { cwd: ROOT }).flatMap((path) => [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(/uses: (\S+)/g),
  ])
  assert.ok(used.length > 0)
  for (const [, action = ''] of used) assert.match(action, /^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/)
})
