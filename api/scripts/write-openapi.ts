// Writes the descriptions of both hosts and of the sockets to docs/, and the documents derived from
// them: node api/scripts/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { LLMS_FILE, llmsOf } from '../src/rest/llms.ts'
import { POSTMAN_FILE } from '../src/rest/program-documents.ts'
import {
  ASYNCAPI_FILE,
  asyncApiText,
  documentText,
  INTEGRATED_OPENAPI_FILE,
  integratedDocumentText,
  OPENAPI_FILE,
} from './openapi-document.ts'
import { postmanText } from './postman.ts'

const document = await documentText()
writeFileSync(OPENAPI_FILE, document)
writeFileSync(POSTMAN_FILE, postmanText())
writeFileSync(LLMS_FILE, llmsOf(JSON.parse(document)))
writeFileSync(INTEGRATED_OPENAPI_FILE, await integratedDocumentText())
writeFileSync(ASYNCAPI_FILE, asyncApiText())
