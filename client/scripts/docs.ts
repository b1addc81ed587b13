// Makes pages of the library from its docstrings: npm run docs -w client writes them into
// client/docs-out, with --check nowhere. An export without a docstring, or one that names nothing,
// fails it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application } from 'typedoc'
import { compilerOptions, withProject } from './declarations.ts'
import { libraryEntries, manifestOf, ROOT } from './entries.ts'

/** What has a name of its own has a docstring. Members may explain themselves. */
const DOCUMENTED = [
  'Class',
  'Function',
  'Method',
  'Accessor',
  'Variable',
  'TypeAlias',
  'Interface',
] as const

/** Writes the pages into `folder`. Throws where the docstrings lack something. */
export async function writePages(folder: string): Promise<void> {
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
      // They have no meaning but in the type that they are part of.
      intentionallyNotExported: ['Handler', 'Life', 'Page', 'Query', 'Unknown', 'Value'],
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
      throw new Error('the docstrings lack what is listed above')
  })
}

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  const folder = isCheck ? mkdtempSync(join(tmpdir(), 'openvenue-docs-')) : `${ROOT}client/docs-out`
  await writePages(folder)
  if (isCheck) rmSync(folder, { recursive: true })
}
