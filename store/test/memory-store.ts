// Opens stores from an image of an empty one. Creating a PGlite takes seconds, and copying one a
// tenth of that. The image is created once and cached in node_modules/.cache.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { LITE_OPTIONS, type Lite, openPglite, serveLite } from '../src/db/pglite.ts'
import type { Retention } from '../src/feed/writer.ts'
import { openOn } from '../src/open.ts'
import type { Store } from '../src/store.ts'
import { cachedFile } from './cached-file.ts'
import { lend, openLite, returnLite, takeLite } from './pglite-pool.ts'
import { schemaKey } from './schema-key.ts'

/** Files that determine the image in addition to the migrations. */
const MAKERS = ['src/db/pglite.ts', 'test/memory-store.ts', 'package.json']

/** Opens an empty store in memory, like `openStore({})`, from the pool of this process. */
export async function openMemoryStore(retention: Retention = {}): Promise<Store> {
  const lite = await takeLite(readImage)
  return openOn(
    await serveLite(
      lend(lite, () => returnLite(lite)),
      () => {},
    ),
    retention,
  )
}

/** Opens an empty store that shares nothing with earlier ones, at ten times the cost. */
export async function openUnpooledStore(retention: Retention = {}): Promise<Store> {
  return openOn(await serveLite(await openLite(readImage), () => {}), retention)
}

/** Writes a database without tables to `dataDir`. */
export async function writeBareDatabase(dataDir: string): Promise<void> {
  await writeEmptyDatabase(dataDir)
  const db = await openPglite(dataDir)
  await db.script(DROP_TABLES)
  await db.close()
}

const DROP_TABLES = 'DROP SCHEMA public CASCADE; CREATE SCHEMA public'

/** An empty database in memory. Reopened, it has its earlier rows. */
export type MemoryDatabase = Readonly<{
  open(retention?: Retention): Promise<Store>
  remove(): Promise<void>
}>

/** Creates a database that is reopened without opening another PGlite. */
export async function createMemoryDatabase(): Promise<MemoryDatabase> {
  const lite = await takeLite(readImage)
  let opened: Lite | undefined
  return {
    open: async (retention = {}) => {
      if (opened?.closed === false) throw new Error('the database is open already')
      const current = lend(lite, async () => {})
      opened = current
      return openOn(await serveLite(current, () => {}), retention)
    },
    remove: async () => {
      if (opened?.closed === false) await opened.close()
      await returnLite(lite)
    },
  }
}

/** Writes a new, empty database to `dataDir`. */
export async function writeEmptyDatabase(dataDir: string): Promise<void> {
  const path = await findImage()
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)('tar', ['-xf', path, '-C', dataDir])
}

let image: Promise<Blob> | undefined

/** Tests open several stores at a time, which share one read. */
function readImage(): Promise<Blob> {
  image ??= findImage().then(async (path) => new Blob([await readFile(path)]))
  return image
}

let imagePath: Promise<string> | undefined

/** Returns the path of the image, which the first call creates if it is missing. */
function findImage(): Promise<string> {
  imagePath ??= cachedFile(
    { name: 'empty-store', key: schemaKey(MAKERS), suffix: '.tar' },
    makeImage,
  )
  return imagePath
}

/** Returns a database that was shut down, since others would be recovered at each opening. */
async function makeImage(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'openvenue-image-'))
  try {
    const dataDir = join(folder, 'db')
    const lite = await PGlite.create({ dataDir, ...LITE_OPTIONS })
    const store = await openOn(await serveLite(lite, () => {}))
    await lite.exec(WITHOUT_TEMPLATES)
    for (const name of TEMPLATES) await lite.exec(`DROP DATABASE ${name}`)
    await store.close()
    const image = join(folder, 'image.tar')
    const names = await readdir(dataDir)
    await promisify(execFile)('tar', ['--format=ustar', '-cf', image, '-C', dataDir, ...names])
    return await readFile(image)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Tests do not use template databases: without them the image has half as many files. */
const TEMPLATES = ['template0', 'template1']
const WITHOUT_TEMPLATES = 'UPDATE pg_database SET datistemplate = false'
