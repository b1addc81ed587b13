// Re-records the golden scenarios of a real chain: node devnet/test/recording/record-golden.ts
//
// Then: node --test --test-update-snapshots core/src/golden.test.ts, and review what changed. It
// writes nothing when the core differs from the contracts at any block.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeGolden } from '@openvenue/core/test/scenario/golden'
import { RECORDED_SCENARIOS, recorded } from './scenarios.ts'

const FOLDER = join(import.meta.dirname, '../../../core/golden')

async function main(): Promise<void> {
  const texts = new Map<string, string>()
  for (const scenario of RECORDED_SCENARIOS) {
    const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-golden-'))
    try {
      texts.set(scenario.name, encodeGolden(await recorded(scenario, dataDir)))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  for (const [name, text] of texts) writeFileSync(join(FOLDER, `${name}.events.jsonl`), text)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
