// Measures the cost of margins for the indexer's warnings and the keeper's checks, with a million
// positions.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Section } from './table.ts'

const FILE = fileURLToPath(new URL('./margin-run.ts', import.meta.url))

/** `even`: every account holds a position in every market. Each variant runs in its own process. */
export async function measureMargin(accounts: number, spread: 'mixed' | 'even'): Promise<Section> {
  const args = ['--expose-gc', '--max-old-space-size=8192', FILE, String(accounts), spread]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Section
}
