// Bundles the JavaScript of the published package.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputChunk, type RolldownOutput, rolldown } from 'rolldown'
import { commandSource, type Entry, ROOT } from './entries.ts'

/** Of Node 20 and of browsers from 2022 on. */
export const TARGET = 'es2022'
export const VIEM = /^viem(\/|$)/
const SHEBANG = '#!/usr/bin/env node'
const COMMENTS = { legal: true, annotation: true, jsdoc: false }

/** Bundles the entries of the library into `folder`, and the command where there is one. */
export async function writeScripts(entries: readonly Entry[], folder: string): Promise<void> {
  await writeLibrary(entries, folder)
  const command = commandSource()
  if (command !== undefined) await writeCommand(command, entries, folder)
}

/** What two entries use lies in a chunk of both. */
export async function writeLibrary(entries: readonly Entry[], folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
    cwd: ROOT,
    platform: 'neutral',
    external: VIEM,
    transform: { target: TARGET },
    onLog: refuse,
  })
  const output = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: COMMENTS,
  })
  await bundle.close()
  for (const { fileName, imports, dynamicImports } of chunksOf(output))
    for (const name of [...imports, ...dynamicImports])
      if (!VIEM.test(name) && !chunksOf(output).some((chunk) => chunk.fileName === name))
        throw new Error(`${fileName} imports ${name}, which not every platform has`)
}

/** The command uses the library as everybody does, by its entries. */
async function writeCommand(source: string, entries: readonly Entry[], folder: string) {
  const files: ReadonlyMap<string, string> = new Map(
    entries.map(({ key, name }) => [`openvenue${key.slice(1)}`, `./${name}.js`]),
  )
  const bundle = await rolldown({
    input: { cli: source },
    cwd: ROOT,
    platform: 'node',
    external: (name) => VIEM.test(name) || name.startsWith('node:') || files.has(name),
    transform: { target: TARGET },
    onLog: refuse,
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/cli-[name].js',
    comments: COMMENTS,
    paths: (name) => files.get(name) ?? name,
    banner: ({ isEntry, fileName }) => (isEntry && fileName === 'cli.js' ? SHEBANG : ''),
  })
  await bundle.close()
  chmodSync(join(folder, 'cli.js'), 0o755)
}

const chunksOf = ({ output }: RolldownOutput): OutputChunk[] =>
  output.filter((one) => one.type === 'chunk')

/** Whatever a bundler warns of would be found out by those who install it. */
function refuse(level: string, { message }: Readonly<{ message: string }>): void {
  if (level === 'warn') throw new Error(message)
}
