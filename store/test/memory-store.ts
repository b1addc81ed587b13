// Opens stores from an image of an empty one. Making a PGlite takes seconds, most of a test's time;
// copying one takes a tenth of that. The image is made once and lies in node_modules/.cache.
import { hash, randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openOn } from '../src/open.ts'
import { CONFIGURATION, serveLite } from '../src/pglite.ts'
import type { Store } from '../src/store.ts'

const PACKAGE = join(import.meta.dirname, '..')
const CACHE = join(PACKAGE, '..', 'node_modules', '.cache', 'openvenue')

/** Opens a new, empty store in memory: what `openStore({})` opens, sooner. */
export async function openMemoryStore(): Promise<Store> {
  const options = { postgresqlconf: CONFIGURATION, loadDataDir: await readImage() }
  return openOn(await serveLite(await PGlite.create(options), () => {}))
}

/** Puts a new, empty database where `dataDir` says, to be opened there by whoever will. */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  const options = { dataDir, postgresqlconf: CONFIGURATION, loadDataDir: await readImage() }
  await (await PGlite.create(options)).close()
}

let image: Promise<Blob> | undefined

/** Tests open several stores at a time: they share what the first of them finds or makes. */
function readImage(): Promise<Blob> {
  image ??= findImage()
  return image
}

async function findImage(): Promise<Blob> {
  const path = join(CACHE, `empty-store-${imageKey()}.tar`)
  try {
    return new Blob([await readFile(path)])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = await makeImage()
  await mkdir(CACHE, { recursive: true })
  // Several processes may get here at once: each writes its own, and the last one stays.
  const mine = `${path}.${randomUUID()}`
  await writeFile(mine, Buffer.from(await made.arrayBuffer()))
  await rename(mine, path).finally(() => rm(mine, { force: true }))
  const old = globSync('empty-store-*.tar', { cwd: CACHE }).map((name) => join(CACHE, name))
  await Promise.all(old.filter((one) => one !== path).map((one) => rm(one, { force: true })))
  return made
}

async function makeImage(): Promise<Blob> {
  const lite = await PGlite.create({ postgresqlconf: CONFIGURATION })
  const store = await openOn(await serveLite(lite, () => {}))
  await lite.exec('CHECKPOINT')
  const dump = await lite.dumpDataDir('none')
  await store.close()
  return dump
}

/** Names what the image is made by: another migration, setting or version is another image. */
function imageKey(): string {
  const files = [
    ...globSync('migrations/*.sql', { cwd: PACKAGE }).sort(),
    'src/pglite.ts',
    'src/migrate.ts',
    'package.json',
  ]
  const texts = files.map((file) => readFileSync(join(PACKAGE, file), 'utf8'))
  return hash('sha256', JSON.stringify([files, texts])).slice(0, 16)
}
