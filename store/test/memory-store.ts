// Opens stores from an image of an empty one. Making a PGlite takes seconds, most of a test's time;
// copying one takes a tenth of that. The image is made once and lies in node_modules/.cache.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { openOn } from '../src/open.ts'
import { CONFIGURATION, serveLite } from '../src/pglite.ts'
import type { Store } from '../src/store.ts'
import type { Kept } from '../src/writer.ts'
import { cachedFile, contentKey } from './cached-file.ts'

const PACKAGE = join(import.meta.dirname, '..')

/** Opens a new, empty store in memory: what `openStore({})` opens, sooner. */
export async function openMemoryStore(kept: Kept = {}): Promise<Store> {
  const options = { postgresqlconf: CONFIGURATION, loadDataDir: await readImage() }
  return openOn(await serveLite(await PGlite.create(options), () => {}), kept)
}

/** Puts a new, empty database where `dataDir` says, to be opened there by whoever will. */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  const path = await findImage()
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)('tar', ['-xf', path, '-C', dataDir])
}

let image: Promise<Blob> | undefined

/** Tests open several stores at a time: they share what the first of them reads. */
function readImage(): Promise<Blob> {
  image ??= findImage().then(async (path) => new Blob([await readFile(path)]))
  return image
}

let found: Promise<string> | undefined

/** Returns the path of the image; the first of a process makes it where there is none. */
function findImage(): Promise<string> {
  found ??= cachedFile({ name: 'empty-store', key: imageKey(), suffix: '.tar' }, makeImage)
  return found
}

async function makeImage(): Promise<Uint8Array> {
  const lite = await PGlite.create({ postgresqlconf: CONFIGURATION })
  const store = await openOn(await serveLite(lite, () => {}))
  await lite.exec(WITHOUT_TEMPLATES)
  for (const name of TEMPLATES) await lite.exec(`DROP DATABASE ${name}`)
  await lite.exec('CHECKPOINT')
  const dump = await lite.dumpDataDir('none')
  await store.close()
  return dump.bytes()
}

/** Nobody here makes a database of another: without them the image has half as many files. */
const TEMPLATES = ['template0', 'template1']
const WITHOUT_TEMPLATES = 'UPDATE pg_database SET datistemplate = false'

/** Names what the image is made by: another migration, setting or version is another image. */
function imageKey(): string {
  const files = [
    ...globSync('migrations/*.sql', { cwd: PACKAGE }).sort(),
    'src/pglite.ts',
    'src/migrate.ts',
    'test/memory-store.ts',
    'package.json',
  ]
  return contentKey(
    files.map((file) => join(PACKAGE, file)),
    files,
  )
}
