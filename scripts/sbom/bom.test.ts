// The bill of materials against what npm installed here, and the actions that CI trusts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type LockFile, makeBom } from './bom.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const bom = makeBom(read('package-lock.json') as LockFile)

test('every package that is installed here is in the bill, in its version', () => {
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

test('it is CycloneDX 1.5: each component has its own reference, a package URL and a checksum', () => {
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

test('what a service needs is required, though a developer needs it too', () => {
  const scopes = new Map(bom.components.map(({ name, scope }) => [name, scope]))
  assert.equal(scopes.get('fastify'), 'required')
  assert.equal(scopes.get('@biomejs/biome'), 'excluded')
})

test('CI checks the signatures of packages, writes the bill and keeps it', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8')
  assert.match(workflow, /- run: npm audit signatures\n/)
  assert.match(workflow, /npm run check -- static sbom/)
  assert.match(workflow, /path: sbom\.cdx\.json\n/)
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), /^npm run check -- .*\bsbom\b/m)
})

test('actions of CI are pinned by their commit', () => {
  const used = globSync('.github/workflows/*.yml', { cwd: ROOT }).flatMap((path) => [
    ...readFileSync(join(ROOT, path), 'utf8').matchAll(/uses: (\S+)/g),
  ])
  assert.ok(used.length > 0)
  for (const [, action = ''] of used) assert.match(action, /^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/)
})
