import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UsageError } from './exit-codes.ts'
import { apiUrl, isPlainRemote, wantedNetwork } from './networks.ts'
import { parseAddress, parseDecimalText, parseTime, wholeNumber } from './parse.ts'

describe('parsed text', () => {
  test('a number is accepted only as plain decimal text, and is kept unchanged', () => {
    for (const text of ['0', '0.5', '2900.10', '12345678901234567890.000000000000000001'])
      assert.equal(parseDecimalText(text), text)
    for (const text of [
      '',
      '1e3',
      '-1',
      '+1',
      '1,5',
      '1_000',
      '.5',
      '5.',
      '0x10',
      '01',
      ' 1',
      'NaN',
    ])
      assert.throws(() => parseDecimalText(text), UsageError, text)
  })

  test('a whole number is accepted only within its bounds', () => {
    assert.equal(wholeNumber(1, 30)('30'), 30)
    for (const text of ['0', '31', '1.5', '-1', '', '1e1'])
      assert.throws(() => wholeNumber(1, 30)(text), /from 1 to 30/, text)
  })

  test('a time is Unix seconds or a date', () => {
    assert.equal(parseTime('1795449600'), 1_795_449_600)
    assert.equal(parseTime('2026-11-23'), 1_795_392_000)
    assert.equal(parseTime('2026-11-23T01:00:00+01:00'), 1_795_392_000)
    for (const text of ['yesterday', '2026-13-01', '23.11.2026', '2026-11-23T01:00:00'])
      assert.throws(() => parseTime(text), UsageError, text)
  })

  test('an address has 40 hex digits in lower case or with a valid checksum', () => {
    for (const address of [`0x${'ab'.repeat(20)}`, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])
      assert.equal(parseAddress(address), address)
    const others = ['', '0x1', `0x${'ab'.repeat(21)}`, 'ab'.repeat(20), `0x${'aB'.repeat(20)}`]
    for (const text of others) assert.throws(() => parseAddress(text), UsageError)
    assert.throws(() => parseAddress(`0x${'aB'.repeat(20)}`), /; the nearest is 0x[\da-fA-F]{40}$/)
  })
})

describe('the network', () => {
  test('the network is the devnet by default', () => {
    const selection = wantedNetwork({}, {})
    assert.deepEqual([selection.name, selection.isNamed], ['devnet', false])
    assert.equal(apiUrl(selection, undefined), 'http://127.0.0.1:3000')
  })

  test('the network is taken from the API if only an API address is given', () => {
    const selection = wantedNetwork({ url: 'https://api.example.org/v1/' }, {})
    assert.deepEqual(
      [selection.name, apiUrl(selection, undefined)],
      [undefined, 'https://api.example.org/v1'],
    )
  })

  test('the address of the API comes from the options, then the environment, then the file', () => {
    const env = { OPENVENUE_NETWORK: 'testnet', OPENVENUE_URL: 'https://env.example.org' }
    const file = { url: 'https://file.example.org' }
    assert.equal(
      apiUrl(wantedNetwork({ url: 'https://own.example.org' }, env), file),
      'https://own.example.org',
    )
    assert.equal(apiUrl(wantedNetwork({}, env), file), 'https://env.example.org')
    assert.equal(
      apiUrl(wantedNetwork({ network: 'testnet' }, {}), file),
      'https://file.example.org',
    )
    assert.throws(() => apiUrl(wantedNetwork({ network: 'testnet' }, {}), undefined), /--url/)
  })

  test('an invalid API address is refused', () => {
    for (const url of ['api.example.org', 'ftp://api.example.org', ''])
      assert.throws(() => wantedNetwork({ url }, {}), UsageError, url)
  })

  test('traffic counts as readable by others only without TLS to another machine', () => {
    assert.equal(isPlainRemote('http://api.example.org'), true)
    for (const url of ['https://api.example.org', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      assert.equal(isPlainRemote(url), false, url)
  })
})
