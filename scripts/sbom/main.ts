// Writes the bill of materials: `npm run sbom`, or `npm run sbom -- --out sbom.json`.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type LockFile, makeBom } from './bom.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: 'sbom.cdx.json' } } })
const lock = readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8')
const bom = makeBom(JSON.parse(lock) as LockFile)
writeFileSync(values.out, `${JSON.stringify(bom, undefined, 2)}\n`)
process.stdout.write(`${values.out}: ${bom.components.length} packages\n`)
