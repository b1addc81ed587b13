import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ACCOUNT_MESSAGES, API_MESSAGES, ENGINE_MESSAGES } from '@openvenue/wire/signed-messages'
import type { TypedData } from 'openvenue/signing'
import { concat, hashStruct, keccak256, parseAbiItem, toFunctionSelector, toHex } from 'viem'
import { type Descriptor, type Field, makeDescriptors } from '../../../../scripts/descriptors.ts'
import { CALL_TITLES, MESSAGE_TITLES, signingWords } from './signing-words.ts'

const FOLDER = new URL('../../../../../docs/erc7730/', import.meta.url)
const MESSAGES = { ...API_MESSAGES, ...ACCOUNT_MESSAGES, ...ENGINE_MESSAGES }
/** Rules of the ERC-7730 JSON schema, version 2, as far as they concern these files. */
const FORMATS = new Set(['raw', 'addressName', 'tokenTicker', 'tokenAmount', 'date', 'enum'])
const FIELD_MEMBERS = new Set(['path', 'label', 'format', 'params', 'visible'])
const MEMBER = String.raw`\w+(\[\])? [A-Za-z_]\w*`
const MEMBERS = `${MEMBER}(, ?${MEMBER})*`
const KEY = new RegExp(`^[A-Za-z_]\\w*\\((${MEMBERS}|\\(${MEMBERS}\\) \\w+)\\)$`)

const ZERO = `0x${'0'.repeat(64)}` as const
const zeroOf = (type: string): unknown => {
  if (type.endsWith('[]')) return []
  if (type === 'bool') return false
  if (type === 'bytes32') return ZERO
  return type === 'address' ? ZERO.slice(0, 42) : 0n
}
const selectorOf = (key: string | undefined): string =>
  toFunctionSelector(parseAbiItem(`function ${key}`) as never)

const descriptors = Object.entries(makeDescriptors())
const formats = descriptors.flatMap(([, { display }]) => Object.entries(display.formats))
const formatOf = (name: string) => formats.find(([key]) => key.startsWith(`${name}(`))

describe('the ERC-7730 descriptors', () => {
  test('ERC-7730 descriptors match the files that terminal/scripts/clear-signing.ts writes', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))
    assert.deepEqual(names.toSorted(), descriptors.map(([name]) => name).toSorted())
    for (const [name, descriptor] of descriptors)
      assert.deepEqual(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')), descriptor, name)
  })

  test('ERC-7730 descriptors contain every call, and every message by its EIP-712 type', () => {
    for (const [primaryType, members] of Object.entries(MESSAGES)) {
      const data = Object.fromEntries(members.map(({ name, type }) => [name, zeroOf(type)]))
      const types: Record<string, readonly { name: string; type: string }[]> = {
        [primaryType]: members,
      }
      const words = members.map(({ type }) => (type.endsWith('[]') ? keccak256('0x') : ZERO))
      const hash = keccak256(concat([keccak256(toHex(formatOf(primaryType)?.[0] ?? '')), ...words]))
      assert.equal(hash, hashStruct({ data, primaryType, types }), primaryType)
    }
    // The combined call is two calls to a wallet; a permit is the token's own message.
    const others = new Set(['approveAndDeposit'])
    for (const name of Object.keys(CALL_TITLES))
      if (!others.has(name)) assert.match(selectorOf(formatOf(name)?.[0]), /^0x[\da-f]{8}$/)
  })

  test("ERC-7730 descriptors show every member with the page's own labels", () => {
    for (const [primaryType, members] of Object.entries(MESSAGES)) {
      const message = Object.fromEntries(members.map(({ name }) => [name, '0']))
      const domain = { name: 'openvenue', version: '1', chainId: 1 }
      const data: TypedData = { domain, types: {}, primaryType, message }
      const { title, lines } = signingWords(data)
      const format = formatOf(primaryType)?.[1]
      assert.equal(format?.intent, title)
      assert.equal(title, MESSAGE_TITLES[primaryType])
      const labels = lines.slice(0, members.length).map(([name]) => name)
      assert.deepEqual(
        format?.fields.map(({ label }) => label),
        labels,
      )
      assert.deepEqual(new Set(labels).size, labels.length, 'no two of one name')
    }
  })

  test('ERC-7730 descriptors follow the rules of the schema', () => {
    for (const [name, { context, metadata, display }] of descriptors) {
      assert.equal(['contract', 'eip712'].filter((member) => member in context).length, 1, name)
      for (const [key, { fields }] of Object.entries(display.formats)) {
        assert.match(key, KEY)
        for (const field of fields) checkField(field, key, metadata)
      }
    }
  })
})

function checkField(field: Field, key: string, metadata: Descriptor['metadata']): void {
  const { path, label, format, params = {} } = field
  assert.deepEqual(
    Object.keys(field).filter((member) => !FIELD_MEMBERS.has(member)),
    [],
  )
  assert.ok(FORMATS.has(format) && label !== '', key)
  const members = [...key.matchAll(/\w+(?:\[\])? (\w+)/g)].map(([, name]) => name)
  const last = path.replace('.[]', '').split('.').at(-1) ?? ''
  assert.ok(members.includes(last), `${key} has ${path}`)
  const { tokenPath, encoding, $ref } = params as Readonly<Record<string, string>>
  if (format === 'date') assert.equal(encoding, 'timestamp')
  if (format === 'tokenAmount') assert.ok(tokenPath === '@.to' || members.includes(`${tokenPath}`))
  if (format !== 'enum') return
  const enums = metadata['enums'] as Readonly<Record<string, unknown>>
  assert.ok(`${$ref}`.replace('$.metadata.enums.', '') in enums, key)
}
