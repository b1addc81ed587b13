import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readOptions } from './options.ts'
import { StartError } from './tool-error.ts'

const KEY = { OPENVENUE_API_KEY: 'k', OPENVENUE_API_SECRET: 's' }
const SIGNING_KEY = `0x${'11'.repeat(32)}`
const CAPS = ['--cap-order', '100', '--cap-day', '1000']

describe('the options', () => {
  test('reading market data with the MCP server needs no options', () => {
    assert.deepEqual(readOptions([], {}), { url: 'http://127.0.0.1:3000', power: 'read' })
    assert.equal(readOptions(['--url', 'https://a.example/api/'], {})?.url, 'https://a.example/api')
    assert.equal(readOptions(['--help'], {}), undefined)
  })

  test('the MCP server applies the highest level that its options request', () => {
    assert.equal(readOptions(['--cancel'], KEY)?.power, 'cancel')
    assert.equal(readOptions(['--hmac'], KEY)?.apiKey?.signs, true)
    assert.equal(readOptions(['--cancel', '--submit'], KEY)?.power, 'submit')
    const trading = readOptions(['--trade', ...CAPS], {
      ...KEY,
      OPENVENUE_SIGNING_KEY: SIGNING_KEY,
    })
    assert.deepEqual(trading, {
      url: 'http://127.0.0.1:3000',
      power: 'trade',
      apiKey: { key: 'k', secret: 's' },
      signingKey: SIGNING_KEY,
      caps: { order: '100', day: '1000' },
    })
  })

  const refused: readonly (readonly [string, readonly string[], Record<string, string>, RegExp])[] =
    [
      ['half of an API key', [], { OPENVENUE_API_KEY: 'k' }, /must both be set/],
      ['--submit without a key', ['--submit'], {}, /--submit needs OPENVENUE_API_KEY/],
      [
        'a signing key without --trade',
        ['--submit'],
        { ...KEY, OPENVENUE_SIGNING_KEY: SIGNING_KEY },
        /only used with --trade/,
      ],
      ['trading without a signing key', ['--trade', ...CAPS], KEY, /needs OPENVENUE_SIGNING_KEY/],
      [
        'trading without caps',
        ['--trade', '--cap-order', '100'],
        { ...KEY, OPENVENUE_SIGNING_KEY: SIGNING_KEY },
        /needs --cap-order and --cap-day/,
      ],
      [
        'a cap that is not a decimal number',
        ['--trade', '--cap-order', '1e9', '--cap-day', '1000'],
        { ...KEY, OPENVENUE_SIGNING_KEY: SIGNING_KEY },
        /--cap-order: got 1e9, expected a decimal number/,
      ],
      ['caps without trading', ['--submit', ...CAPS], KEY, /require --trade/],
      ['a devnet with keys', ['--devnet', '10'], KEY, /excludes keys/],
      ['a devnet with caps', ['--devnet', '10', ...CAPS], {}, /excludes --cap-order, --cap-day/],
      ['a URL with a password', ['--url', 'http://me:pass@a.example'], {}, /and password/],
      ['a URL of files', ['--url', 'file:///etc/passwd'], {}, /--url: got .*, expected http/],
      ['an unknown option', ['--yolo'], {}, /--yolo/],
    ]
  for (const [title, args, env, message] of refused)
    test(`options with ${title} are refused`, () => {
      assert.throws(
        () => readOptions(args, env),
        (error) => error instanceof StartError && message.test(error.message),
      )
    })
})
