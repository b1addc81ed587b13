// Writes docs/openapi.json and docs/asyncapi.json: node api/src/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { documentText, OPENAPI_FILE } from './openapi-document.ts'
import { ASYNCAPI_FILE, asyncApiText } from './rest/asyncapi.ts'

writeFileSync(OPENAPI_FILE, await documentText())
writeFileSync(ASYNCAPI_FILE, asyncApiText())
