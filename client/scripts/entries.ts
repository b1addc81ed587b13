// Locates the sources of the package: its entries and the packages that are bundled.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Members of a package.json that the scripts read. */
type Manifest = Readonly<{
  name: string
  version: string
  description: string
  license: string
  exports: Readonly<Record<string, string>>
  peerDependencies: Readonly<Record<string, string>>
}>

/** An entry of the package: `./signing` is named `signing`, `.` is named `index`. */
export type PackageEntry = Readonly<{ key: string; name: string; source: string }>

/** Packages of this repository that are bundled into the published one. */
const BUNDLED = ['contracts', 'core', 'wire']

/** Reads a package.json of the repository. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(`${ROOT}${folder}/package.json`, 'utf8')) as Manifest

/** Returns the entries of the library from the exports of the client's package.json. */
export function libraryEntries(): readonly PackageEntry[] {
  return Object.entries(manifestOf('client').exports).map(([key, path]) => ({
    key,
    name: key === '.' ? 'index' : key.slice(2),
    source: `${ROOT}client/${path.slice(2)}`,
  }))
}

/** Returns the source of the command; undefined if the repository has none. */
export function commandSource(): string | undefined {
  const path = `${ROOT}cli/src/main.ts`
  return existsSync(path) ? path : undefined
}

/** Returns the sources of the bundled packages by import, such as `@openvenue/core/units`. */
export function bundledPaths(): ReadonlyMap<string, string> {
  return new Map(
    BUNDLED.flatMap((folder) =>
      Object.entries(manifestOf(folder).exports).map(([key, path]): [string, string] => [
        `@openvenue/${folder}/${key.slice(2)}`,
        `${ROOT}${folder}/${path.slice(2)}`,
      ]),
    ),
  )
}
