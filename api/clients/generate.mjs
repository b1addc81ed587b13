// Generates two clients of an OpenAPI document: node generate.mjs <file> <folder> writes
// `fetch/schema.ts` (openapi-typescript, for openapi-fetch) and `sdk/` (@hey-api/openapi-ts).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'

const [input, folder] = process.argv.slice(2)
mkdirSync(join(folder, 'fetch'), { recursive: true })
const types = await openapiTypescript(JSON.parse(readFileSync(input, 'utf8')))
writeFileSync(join(folder, 'fetch', 'schema.ts'), astToString(types))
await createClient({
  input,
  output: join(folder, 'sdk'),
  logs: { level: 'silent', file: false },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
})
