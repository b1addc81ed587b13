// Writes the descriptions of both hosts and of the sockets to docs/, and the documents and pages
// derived from them: node api/scripts/write-openapi.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { DOCS } from '../src/rest/docs-files.ts'
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
import { llmsOf } from './site/llms.ts'
import { siteFiles } from './site/site-files.ts'

const [document, integrated] = [await documentText(), await integratedDocumentText()]
writeFileSync(OPENAPI_FILE, document)
writeFileSync(POSTMAN_FILE, postmanText())
writeFileSync(new URL('llms.txt', DOCS), llmsOf(JSON.parse(document)))
writeFileSync(INTEGRATED_OPENAPI_FILE, integrated)
writeFileSync(ASYNCAPI_FILE, asyncApiText())
rmSync(new URL('site', DOCS), { recursive: true, force: true })
mkdirSync(new URL('site/reference', DOCS), { recursive: true })
for (const [path, text] of siteFiles(JSON.parse(document), JSON.parse(integrated)))
  writeFileSync(new URL(path, DOCS), text)
