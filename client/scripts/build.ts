// Builds the published package: npm run build -w client writes it into client/dist.
// --repository=https://… sets the source repository, which provenance needs.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeScripts } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { commandSource, libraryEntries, manifestOf, type PackageEntry, ROOT } from './entries.ts'

/** Collects the licences of bundled packages, which require a copy of the licence. */
const FOREIGN = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//
const LICENCE = /^licen[cs]e(\.\w+)?$/i

/** Returns the licences of the packages that `modules` belong to, one after the other. */
function licencesOf(modules: readonly string[]): string {
  const packages = new Map(
    modules.flatMap((module) => {
      const [, folder = '', name = ''] = FOREIGN.exec(module) ?? []
      return name === '' ? [] : [[name, folder] as const]
    }),
  )
  return [...packages]
    .sort()
    .map(([name, folder]) => {
      const file = readdirSync(folder).find((name) => LICENCE.test(name))
      if (file === undefined) throw new Error(`${name} is bundled but has no licence file`)
      return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Oldest Node version in the tests of the package; older versions lack APIs that it uses. */
export const OLDEST_NODE = '20.3.0'

/** Licences of the bundled packages. */
const LICENCES = 'LICENCES.txt'

/** Writes the whole package into `folder` and replaces its contents. */
export async function buildPackage(folder: string, repository?: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const entries = libraryEntries()
  const licences = licencesOf(await writeScripts(entries, folder))
  if (licences !== '') writeFileSync(join(folder, LICENCES), licences)
  const types = await writeDeclarations(entries, join(folder, 'types'))
  const manifest = publishedManifest(entries, types, repository)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  copyFileSync(`${ROOT}client/README.md`, join(folder, 'README.md'))
  copyFileSync(`${ROOT}LICENSE`, join(folder, 'LICENSE'))
}

function publishedManifest(
  entries: readonly PackageEntry[],
  types: ReadonlyMap<string, string>,
  repository: string | undefined,
): object {
  const { name, version, description, license, peerDependencies } = manifestOf('client')
  const ways = entries.map((entry): [string, object] => [
    entry.key,
    { types: `./types/${types.get(entry.key)}`, default: `./${entry.name}.js` },
  ])
  return {
    name,
    version,
    description,
    license,
    ...(repository !== undefined && sourceMembers(repository)),
    keywords: ['openvenue', 'trading', 'order book', 'perpetuals', 'non-custodial'],
    type: 'module',
    sideEffects: false,
    engines: { node: `>=${OLDEST_NODE}` },
    exports: { ...Object.fromEntries(ways), './package.json': './package.json' },
    ...(commandSource() !== undefined && { bin: { openvenue: 'cli.js' } }),
    files: ['*.js', 'chunks', 'types', LICENCES],
    peerDependencies,
    publishConfig: { access: 'public', provenance: true },
  }
}

const sourceMembers = (repository: string) => ({
  repository: { type: 'git', url: `git+${repository}.git`, directory: 'client' },
  homepage: `${repository}#readme`,
  bugs: `${repository}/issues`,
})

if (import.meta.main) {
  const [, repository] =
    /^--repository=(https:\/\/\S+?)(?:\.git)?$/.exec(process.argv[2] ?? '') ?? []
  await buildPackage(`${ROOT}client/dist`, repository)
}
