// Writes docs/openapi.json: node api/src/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { documentText, OPENAPI_FILE } from './openapi-document.ts'

writeFileSync(OPENAPI_FILE, await documentText())
