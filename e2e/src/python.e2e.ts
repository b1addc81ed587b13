// The Python trading program: its cryptography against test vectors and viem, and a run of it.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { rpcAt } from '@openvenue/devnet/rpc'
import { Rest } from 'openvenue'
import { approveCall, depositCall, loadVenue } from 'openvenue/signing'
import {
  type Hex,
  hashTypedData,
  keccak256,
  numberToHex,
  type TypedDataDefinition,
  toHex,
} from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { type Messages, type PublishedInfo, readInfo } from './probe.ts'
import { startVenue, type TestVenue } from './venue.ts'

const PROGRAM = fileURLToPath(new URL('../../examples/python/bot.py', import.meta.url))
const EXAMPLES = new URL('../../api/src/http/openapi-examples.json', import.meta.url)
const STANDARD =
  'base64 decimal hashlib hmac itertools json os secrets socket ssl struct sys time urllib'.split(
    ' ',
  )
const PROGRAM_MS_MAX = 60_000
const LINES_MAX = 299
const COLUMNS_MAX = 100
const VISITOR = 5
const SECRET = /0x[0-9a-f]{64}\b/i

let venue: TestVenue
let info: PublishedInfo
before(async () => {
  venue = await startVenue({ registerRate: undefined })
  info = await readInfo(venue.devnet.apiUrl)
})
after(() => venue?.remove())

const HARNESS = `
import json, sys
from bot import *
input = json.load(sys.stdin)
def outcome(given):
    try:
        return typed_digest(given["typed"], {"x": given["value"]}).hex()
    except Exception as error:
        return type(error).__name__
`

/** Returns the value of an expression over the names of the program and `input`. */
async function evaluate<T>(expression: string, input: unknown): Promise<T> {
  const child = spawn('python3', ['-B', '-c', `${HARNESS}print(json.dumps(${expression}))`], {
    cwd: dirname(PROGRAM),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(input))
  let text = ''
  for await (const chunk of child.stdout) text += String(chunk)
  return JSON.parse(text) as T
}

const lengths = [0, 1, 31, 135, 136, 137, 271, 272, 500]

test('the Python program hashes, derives addresses and signs like viem', async () => {
  const texts = lengths.map((length) => 'a'.repeat(length))
  assert.deepEqual(
    await evaluate<string[]>('["0x" + keccak256(text.encode()).hex() for text in input]', texts),
    texts.map((text) => keccak256(toHex(text))),
  )
  const keys = [
    numberToHex(1, { size: 32 }),
    numberToHex(2n ** 255n - 19n, { size: 32 }),
    generatePrivateKey(),
  ]
  const accounts = keys.map((key) => privateKeyToAccount(key))
  assert.deepEqual(
    await evaluate<string[]>('[address_of(int(key, 16)) for key in input]', keys),
    accounts.map(({ address }) => address.toLowerCase()),
  )
  const digests = [0, 1, 2, 3, 4].map((length) => keccak256(numberToHex(length)))
  const pairs = accounts.flatMap((account, at) =>
    digests.map((hash) => ({ account, key: keys[at], hash })),
  )
  const signatures = await evaluate<Hex[]>(
    '["0x%064x%064x%02x" % ((lambda r, s, v: (r, s, 27 + v))(*sign(int(p["key"], 16), bytes.fromhex(p["hash"][2:])))) for p in input]',
    pairs.map(({ key, hash }) => ({ key, hash })),
  )
  assert.deepEqual(
    signatures,
    await Promise.all(pairs.map(({ account, hash }) => account.sign({ hash }))),
  )
})

type Vector = Readonly<{ typed_data: TypedDataDefinition; digest: Hex }>

test('the Python program computes the digests of the example of the API and, like viem, of each message of /info', async () => {
  const examples = JSON.parse(readFileSync(EXAMPLES, 'utf8')) as Record<string, Vector>
  const vectors = [examples['POST /orders/build'] as Vector]
  assert.deepEqual(
    await evaluate(
      '["0x" + typed_digest(v["typed_data"], v["typed_data"]["message"]).hex() for v in input]',
      vectors,
    ),
    vectors.map(({ digest }) => digest),
  )
  const messages = publishedMessages()
  assert.ok(messages.length >= 14, `${messages.length} messages`)
  assert.deepEqual(
    await evaluate('["0x" + typed_digest(m, m["message"]).hex() for m in input]', messages),
    messages.map((typed) => hashTypedData(typed as never)),
  )
})

// Like signTypedData of ethers 6 and encode_typed_data of eth-account, which read `types` with the
// primary type only, and derive the domain's type from its members.
test('types of /info lack the type of the domain, and give the same digest together with domain_types', async () => {
  const messages = publishedMessages()
  for (const { types, primaryType, domain, domain_types } of messages) {
    assert.deepEqual(Object.keys(types), [primaryType])
    assert.deepEqual(
      domain_types.map(({ name }) => name),
      ['name', 'version', 'chainId', 'verifyingContract'].filter((name) => name in domain),
    )
  }
  const whole = messages.map(({ types, domain_types, ...typed }) => ({
    ...typed,
    types: { EIP712Domain: domain_types, ...types },
  }))
  const digests = messages.map((typed) => hashTypedData(typed as never))
  assert.deepEqual(
    whole.map((typed) => hashTypedData(typed as never)),
    digests,
  )
  const separated = `["0x" + keccak256(b"\\x19\\x01"
    + hash_struct("EIP712Domain", {t["name"]: t["type"] for t in m["domain_types"]}, m["domain"])
    + hash_struct(m["primaryType"], {t["name"]: t["type"] for t in m["types"][m["primaryType"]]},
      m["message"])).hex() for m in input]`
  assert.deepEqual(await evaluate(separated, messages), digests)
})

/** Every message of /info, with a distinct value in each field. */
const publishedMessages = () =>
  Object.values(info.typed_data)
    .flatMap((group) => Object.values(group))
    .map((typed) => ({ ...typed, message: messageOf(typed) }))

/** Returns a message with a distinct value in each field; numbers are text, as in JSON. */
const messageOf = ({ types, primaryType }: Messages[string]) =>
  Object.fromEntries(
    (types[primaryType] ?? []).map(({ name, type }, at) => [name, makeValue(type, at + 1)]),
  )

function makeValue(type: string, at: number): unknown {
  if (type.endsWith('[]')) return [at, at + 1].map((index) => makeValue(type.slice(0, -2), index))
  if (type === 'bool') return at % 2 === 0
  if (type === 'string') return `text ${at}`
  if (type.startsWith('uint')) return String(2n ** BigInt(type.slice(4)) - BigInt(at))
  return toHex(at, { size: type === 'address' ? 20 : 32 })
}

test('the Python program refuses values outside of their type, and unknown types', async () => {
  const typed = { domain: { name: 'a' }, primaryType: 'T' }
  const refused = (type: string, value: unknown) =>
    evaluate<string>('outcome(input)', {
      typed: { ...typed, types: { T: [{ name: 'x', type }] } },
      value,
    })
  for (const [type, value, error] of [
    ['uint8', 256, 'OverflowError'],
    ['uint256', -1, 'OverflowError'],
    ['address', `0x${'0'.repeat(38)}`, 'ValueError'],
    ['bytes32', '0x00', 'ValueError'],
    ['bool', '0x01', 'ValueError'],
    ['int8', '0x01', 'ValueError'],
  ] as const)
    assert.equal(await refused(type, value), error, type)
})

const run = (wallet?: Hex) =>
  promisify(execFile)('python3', ['-B', PROGRAM, venue.devnet.apiUrl], {
    timeout: PROGRAM_MS_MAX,
    env: { ...process.env, ...(wallet !== undefined && { OPENVENUE_WALLET_KEY: wallet }) },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

const visitor = mnemonicToAccount(MNEMONIC, { addressIndex: VISITOR })
const visitorKey = toHex(visitor.getHdKey().privateKey ?? new Uint8Array())

/** Gives the wallet's account money to trade with. */
async function deposit(): Promise<void> {
  const { contracts } = await loadVenue(new Rest({ url: venue.devnet.apiUrl }))
  const token = info.tokens.find(({ symbol }) => symbol === 'USDC')?.address as Hex
  const money = { engine: contracts.perps as Hex, token, amount: 20_000n * 10n ** 6n }
  const rpc = rpcAt(venue.devnet.rpcUrl)
  for (const { to, data } of [approveCall(money), depositCall(money)]) {
    const hash = await rpc.call('eth_sendTransaction', { from: visitor.address, to, data })
    const receipt = () => rpc.call('eth_getTransactionReceipt', hash)
    await until('the deposit is in a block', receipt)
  }
}

test('the Python program registers, allows cancels of the venue, places, follows and cancels an order', async () => {
  await deposit()
  const { code, stdout, stderr } = await run(visitorKey)
  assert.equal(code, 0, `${stdout}${stderr}`)
  const lines = new RegExp(
    `^account ${visitor.address.toLowerCase()}, signing key 0x[0-9a-f]{40}\\n` +
      'registered, and the venue may cancel\\nbuy 0\\.1 ETH-PERP at [\\d.]+\\n' +
      '(pending: 0 of 0\\.1 filled\\n)*opened: 0 of 0\\.1 filled\\n(opened: .*\\n)*cancelled: 0 of 0\\.1 filled\\n$',
  )
  assert.match(stdout, lines)
  assert.equal(stderr, '')
  assert.doesNotMatch(stdout, SECRET, 'no key, no digest that gives away a salt')
  assert.ok(!stdout.includes(visitorKey.slice(2)))
})

test("the Python program exits with the API's reason, and without a wallet", async () => {
  const poor = await run(generatePrivateKey())
  assert.equal(poor.code, 1)
  assert.match(
    poor.stderr,
    /^(GET|POST) http\S+: 4\d\d \{.*"error":"[A-Z_]+".*"message":".+".*\}\n$/,
  )
  const { code, stderr } = await run()
  assert.equal(code, 1)
  assert.match(stderr, /^OPENVENUE_WALLET_KEY is the private key of a wallet/)
})

test('the Python programs are short, and import only the standard library', () => {
  for (const [name, mayImport] of [
    ['bot', []],
    ['last_trade', ['bot']],
  ] as const) {
    const text = readFileSync(join(dirname(PROGRAM), `${name}.py`), 'utf8')
    const lines = text.trimEnd().split('\n')
    assert.ok(lines.length <= LINES_MAX, `${name}.py has ${lines.length} lines`)
    for (const line of lines) assert.ok(line.length <= COLUMNS_MAX, line)
    const imported = [...text.matchAll(/^(?:import|from) (.+?)(?: import .*)?$/gm)].flatMap(
      ([, names = '']) => names.split(', ').map((name) => name.split('.')[0] ?? ''),
    )
    for (const module of imported)
      assert.ok(
        STANDARD.includes(module) || (mayImport as readonly string[]).includes(module),
        module,
      )
  }
})
