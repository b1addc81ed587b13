// Bundles the JavaScript of the published package.
import { chmodSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type OutputChunk, type RolldownOutput, rolldown } from 'rolldown'
import { commandSource, type PackageEntry, ROOT } from './entries.ts'

/** Supported by Node 20 and by browsers since 2022. */
export const TARGET = 'es2022'
export const VIEM = /^viem(\/|$)/
const SHEBANG = '#!/usr/bin/env node'
/** Optional dependencies of `ws`, which falls back to JavaScript without them. */
const OPTIONAL = ['bufferutil', 'utf-8-validate']
const COMMENTS = { legal: true, annotation: true, jsdoc: false }

/**
 * Bundles the entries of the library into `folder`, and the command if the repository has one.
 * Returns the paths of the bundled modules.
 */
export async function writeScripts(
  entries: readonly PackageEntry[],
  folder: string,
): Promise<string[]> {
  const modules = await writeLibrary(entries, folder)
  const command = commandSource()
  if (command === undefined) return modules
  return [...modules, ...(await writeCommand(command, entries, folder))]
}

/** Bundles the entries; code that several entries share goes into shared chunks. */
export async function writeLibrary(
  entries: readonly PackageEntry[],
  folder: string,
): Promise<string[]> {
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
        throw new Error(`${fileName} imports ${name}, which is not available on every platform`)
  return modulesOf(output)
}

/** Bundles the command, which imports the library through its public entries. */
async function writeCommand(source: string, entries: readonly PackageEntry[], folder: string) {
  const files: ReadonlyMap<string, string> = new Map(
    entries.map(({ key, name }) => [`openvenue${key.slice(1)}`, `./${name}.js`]),
  )
  const hasShebang = readFileSync(source, 'utf8').startsWith('#!')
  const bundle = await rolldown({
    input: { cli: source },
    cwd: ROOT,
    platform: 'node',
    external: (name) =>
      isBuiltin(name) || VIEM.test(name) || OPTIONAL.includes(name) || files.has(name),
    transform: { target: TARGET },
    onLog: refuse,
  })
  const output = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/cli-[name].js',
    comments: COMMENTS,
    paths: (name) => files.get(name) ?? name,
    banner: ({ isEntry }) => (isEntry && !hasShebang ? SHEBANG : ''),
  })
  await bundle.close()
  chmodSync(join(folder, 'cli.js'), 0o755)
  return modulesOf(output)
}

const chunksOf = ({ output }: RolldownOutput): OutputChunk[] =>
  output.filter((item) => item.type === 'chunk')

const modulesOf = (output: RolldownOutput): string[] =>
  chunksOf(output).flatMap(({ modules }) => Object.keys(modules))

/** Turns bundler warnings into errors, which would otherwise reach the package's users. */
function refuse(level: string, { message }: Readonly<{ message: string }>): void {
  if (level === 'warn') throw new Error(message)
}
