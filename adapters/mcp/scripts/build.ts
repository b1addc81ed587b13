// Builds the published package: npm run build -w adapters/mcp writes it into adapters/mcp/dist.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const PACKAGE = new URL('../', import.meta.url).pathname
/** Node 20.3 is the first version with every API in use. */
const ENGINES = { node: '>=20.3.0' }
/** The client library is bundled, so that its version is fixed. */
const EXTERNAL = /^(@modelcontextprotocol\/|viem(\/|$)|node:)/

type Manifest = Readonly<Record<string, unknown>> &
  Readonly<{ dependencies: Readonly<Record<string, string>> }>

/** Writes the package into `folder` and replaces its contents. */
export async function buildPackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  // At the same depth as the sources, so that relative paths to generated files match.
  mkdirSync(join(folder, 'generated'), { recursive: true })
  const bundle = await rolldown({
    input: { main: join(PACKAGE, 'src/main.ts') },
    platform: 'node',
    external: EXTERNAL,
    transform: { target: 'es2022' },
  })
  await bundle.write({ dir: join(folder, 'bin'), format: 'esm', entryFileNames: '[name].js' })
  await bundle.close()
  chmodSync(join(folder, 'bin/main.js'), 0o755)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`)
  copyFileSync(join(PACKAGE, 'generated/tools.json'), join(folder, 'generated/tools.json'))
  copyFileSync(join(PACKAGE, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(PACKAGE, '../../LICENSE'), join(folder, 'LICENSE'))
}

function manifest(): object {
  const source = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as Manifest
  const { name, version, description, license, type, dependencies } = source
  const { openvenue: _, ...others } = dependencies
  return {
    name,
    version,
    description,
    license,
    type,
    keywords: ['mcp', 'model context protocol', 'openvenue', 'trading'],
    engines: ENGINES,
    bin: { 'openvenue-mcp': 'bin/main.js' },
    files: ['bin', 'generated'],
    dependencies: others,
    publishConfig: { access: 'public', provenance: true },
  }
}

if (import.meta.main) await buildPackage(join(PACKAGE, 'dist'))
