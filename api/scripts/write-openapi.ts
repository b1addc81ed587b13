// Writes the descriptions in docs/, of both hosts and of the sockets, and what is made of them:
// node api/scripts/write-openapi.ts
import { writeFileSync } from 'node:fs'
import { ASYNCAPI_FILE, asyncApiText } from '../src/rest/asyncapi-document.ts'
import { LLMS_FILE, llmsOf } from '../src/rest/llms.ts'
import { POSTMAN_FILE } from '../src/rest/program-documents.ts'
import {
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
