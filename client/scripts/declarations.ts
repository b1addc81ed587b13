// Writes the types of the published package: one declaration for each source file that the entries
// reach, so that a class is the same type whichever entry exports it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { bundledPaths, type PackageEntry, ROOT } from './entries.ts'

/**
 * APIs of every supported platform, including the oldest Node. A source that needs newer APIs, or
 * Node itself, does not compile.
 */
const PLATFORM = { target: 'es2022', lib: ['es2023', 'dom', 'dom.asynciterable'], types: [] }

/** Returns options for compiling the client with the bundled packages resolved to their sources. */
export function compilerOptions(more: object): object {
  const paths = [...bundledPaths()].map(([name, path]): [string, string[]] => [name, [path]])
  return { ...PLATFORM, ...more, paths: Object.fromEntries(paths) }
}

/** Runs `use` with a temporary project of `options` and `files`, and removes it afterwards. */
export async function withProject<T>(
  options: object,
  files: readonly string[],
  use: (project: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-project-'))
  try {
    const project = join(folder, 'tsconfig.json')
    const config = { extends: `${ROOT}tsconfig.base.json`, compilerOptions: options, files }
    writeFileSync(project, JSON.stringify(config))
    return await use(project)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Compiles `files` and returns the compiler's diagnostics. */
export const compile = (options: object, files: readonly string[]): Promise<string> =>
  withProject(options, files, (project) => {
    const args = [TSC, '-p', project]
    const { status, stdout, error } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (error !== undefined) throw error
    return status === 0 ? '' : stdout
  })

const TSC = `${ROOT}node_modules/typescript/bin/tsc`

/** Writes the declarations of `entries` into `folder`; returns their paths by entry key. */
export async function writeDeclarations(
  entries: readonly PackageEntry[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const all = mkdtempSync(join(tmpdir(), 'openvenue-declarations-'))
  try {
    const emission = { noEmit: false, declaration: true, emitDeclarationOnly: true }
    const places = { rootDir: ROOT, outDir: all }
    const options = compilerOptions({ ...emission, ...places })
    const problems = await compile(
      options,
      entries.map(({ source }) => source),
    )
    if (problems !== '') throw new Error(`the sources do not compile:\n${problems}`)
    const files = entries.map(({ key, source }): [string, string] => [key, declarationOf(source)])
    copyReached(
      files.map(([, file]) => file),
      all,
      folder,
    )
    return new Map(files)
  } finally {
    rmSync(all, { recursive: true })
  }
}

/** Returns the path of a source's declaration, relative to the root. */
const declarationOf = (source: string): string => relative(ROOT, source).replace(/\.ts$/, '.d.ts')

/** Copies the declarations that are reachable from `entries`. */
function copyReached(entries: readonly string[], from: string, to: string): void {
  const reached = new Set(entries)
  for (const file of reached) {
    const { text, imports } = published(readFileSync(join(from, file), 'utf8'), file)
    for (const path of imports) reached.add(path)
    mkdirSync(dirname(join(to, file)), { recursive: true })
    writeFileSync(join(to, file), text)
  }
}

const SPECIFIER = /(?<=\bfrom |\bimport\(|\bimport )(["'])([^"'\n]+)\1/g

/** Returns a declaration with its imports rewritten to package paths, and the imported files. */
function published(text: string, file: string) {
  const bundled = bundledPaths()
  const imports: string[] = []
  const written = text.replaceAll(SPECIFIER, (whole, quote: string, name: string) => {
    const source =
      bundled.get(name) ?? (name.startsWith('.') ? resolve(ROOT, dirname(file), name) : undefined)
    if (source === undefined) {
      if (name.startsWith('@openvenue/'))
        throw new Error(`${file} imports ${name}, which is not bundled`)
      return whole
    }
    const target = declarationOf(source)
    imports.push(target)
    const path = relative(dirname(file), target).replace(/\.d\.ts$/, '.js')
    return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`
  })
  return { text: written, imports }
}
