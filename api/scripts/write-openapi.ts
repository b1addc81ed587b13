// Writes the descriptions in docs/, of both hosts and of the sockets: node
// api/scripts/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { ASYNCAPI_FILE, asyncApiText } from '../src/rest/asyncapi-document.ts'
import {
  documentText,
  INTEGRATED_OPENAPI_FILE,
  integratedDocumentText,
  OPENAPI_FILE,
} from './openapi-document.ts'

writeFileSync(OPENAPI_FILE, await documentText())
writeFileSync(INTEGRATED_OPENAPI_FILE, await integratedDocumentText())
writeFileSync(ASYNCAPI_FILE, asyncApiText())
