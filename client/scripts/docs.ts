// Generates reference pages from the docstrings of the library: npm run docs -w client writes them
// into client/docs-out; with --check the output is discarded. Fails for an export without a
// docstring and for a link to a missing name.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { compilerOptions, withProject } from './declarations.ts'
import { libraryEntries, manifestOf, ROOT } from './entries.ts'

/** Kinds of declarations that need a docstring. Members may be self-explanatory. */
const DOCUMENTED = [
  'Class',
  'Function',
  'Method',
  'Accessor',
  'Variable',
  'TypeAlias',
  'Interface',
] as const

/** Writes the pages into `folder`. Throws if docstrings are missing or invalid. */
async function writePages(folder: string): Promise<void> {
  const entries = libraryEntries()
  const files = entries.map(({ source }) => source)
  await withProject(compilerOptions({}), files, async (tsconfig) => {
    const app = await Application.bootstrap({
      name: manifestOf('client').name,
      readme: `${ROOT}client/README.md`,
      entryPoints: files,
      tsconfig,
      basePath: `${ROOT}client`,
      disableSources: true,
      disableGit: true,
      excludeExternals: true,
      excludePrivate: true,
      // Helper types that have no meaning outside the exported type which uses them.
      intentionallyNotExported: [
        'CancelLifetime',
        'Handler',
        'PageAnswer',
        'TypedValue',
        'UnknownData',
      ],
      validation: { notExported: true, invalidLink: true, notDocumented: true },
      requiredToBeDocumented: [...DOCUMENTED],
      treatWarningsAsErrors: true,
      logLevel: 'Warn',
    })
    const project = await app.convert()
    if (project === undefined) throw new Error('the sources do not compile')
    app.validate(project)
    await app.generateDocs(project, folder)
    if (app.logger.hasErrors() || app.logger.hasWarnings())
      throw new Error('docstrings are missing or invalid: see the list above')
  })
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  const folder = isCheck ? mkdtempSync(join(tmpdir(), 'openvenue-docs-')) : `${ROOT}client/docs-out`
  await writePages(folder)
  if (isCheck) rmSync(folder, { recursive: true })
}
