import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { compile, compilerOptions } from './declarations.ts'
import { libraryEntries, ROOT } from './entries.ts'
import { committedDocument, generateTypes, type OpenApi } from './generate.ts'

/** Lies in the repository so that its packages resolve from there. */
const CACHE = join(ROOT, 'node_modules/.cache/openvenue')
let folder: string

/** Returns the compiler's diagnostics for the library with the types of that document. */
async function complaints(document: OpenApi): Promise<string> {
  for (const [name, text] of Object.entries(generateTypes(document)))
    writeFileSync(join(folder, 'generated', name), text)
  const entries = libraryEntries().map(({ source }) => source.replace(join(ROOT, 'client'), folder))
  return compile(compilerOptions({}), entries)
}

/** Returns a document with one member of a shape renamed. */
function rename(document: OpenApi, [shape, member]: readonly [string, string]): OpenApi {
  const { properties = {}, required = [] } = document.components.schemas[shape] ?? {}
  assert.ok(member in properties, `${shape} has ${member}`)
  const renamed = (name: string) => (name === member ? `${member}_now` : name)
  const members = Object.entries(properties).map(([name, one]) => [renamed(name), one])
  const schema = {
    ...document.components.schemas[shape],
    properties: Object.fromEntries(members),
    required: required.map(renamed),
  }
  const schemas = { ...document.components.schemas, [shape]: schema }
  return { ...document, components: { ...document.components, schemas } }
}

/** Members that the library reads or writes. */
const MEMBERS = [
  ['Pagination', 'next_cursor'],
  ['Order', 'order_status'],
  ['Problem', 'retry_after'],
  ['Market', 'price_step'],
  ['OrderRequest', 'limit_price'],
] as const

describe('a change of the API description', () => {
  before(() => {
    mkdirSync(CACHE, { recursive: true })
    folder = mkdtempSync(join(CACHE, 'breaking-'))
    mkdirSync(join(folder, 'generated'))
    cpSync(join(ROOT, 'client/src'), join(folder, 'src'), { recursive: true })
  })
  after(() => rmSync(folder, { recursive: true }))

  test('the library compiles with the committed API description', async () => {
    assert.equal(await complaints(committedDocument()), '')
  })

  test('renaming a member that the library uses fails the type check and names the member', async () => {
    const diagnostics = await complaints(MEMBERS.reduce(rename, committedDocument()))
    for (const [, member] of MEMBERS) assert.match(diagnostics, new RegExp(`'${member}'`))
  })
})
