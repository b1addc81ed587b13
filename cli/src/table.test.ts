import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvLine } from './csv.ts'
import { cutDecimals, tableLines } from './table.ts'

const NAME = { title: 'market', align: 'left' } as const
const PRICE = { title: 'price', align: 'decimal' } as const

const lines = (rows: readonly (readonly string[])[], hasColour = false) =>
  tableLines(
    [NAME, PRICE],
    rows.map(([name = '', price = '']) => [{ text: name }, { text: price, style: 'red' }]),
    hasColour,
  )

describe('a table', () => {
  test('a table aligns decimal points and has no trailing spaces', () => {
    const rows = [
      ['ETH-PERP', '3197.44'],
      ['BTC', '96250'],
      ['EURC-USDC', '-1.07936'],
      ['SOL', '-'],
    ]
    assert.deepEqual(lines(rows), [
      'market           price',
      'ETH-PERP    3197.44',
      'BTC        96250',
      'EURC-USDC     -1.07936',
      'SOL            -',
    ])
  })

  test('a column is as wide as its title', () => {
    assert.deepEqual(lines([['A', '1']]), ['market  price', 'A           1'])
  })

  test('a table has colour codes only if colour is enabled', () => {
    assert.ok(
      !lines([['A', '1']])
        .join()
        .includes('\x1b'),
    )
    assert.ok(
      lines([['A', '1']], true)
        .join()
        .includes('\x1b[31m    1\x1b[0m'),
    )
  })
})

describe('a number that is cut for the eye', () => {
  for (const [text, decimals, shown] of [
    ['3173.730525181509976', 4, '3173.7305'],
    ['0.00000637676013722', 8, '0.00000637'],
    ['1.10009', 4, '1.1'],
    ['1.00009', 4, '1'],
    ['-0.00009', 4, '0'],
    ['-12.5', 0, '-12'],
    ['100', 2, '100'],
    ['1000.5', 8, '1000.5'],
  ] as const)
    test(`a number cut to ${decimals} decimals shows ${text} as ${shown}`, () => {
      assert.equal(cutDecimals(text, decimals), shown)
    })
})

describe('a line of CSV', () => {
  test('a CSV line quotes special characters and leaves unknown values empty', () => {
    const line = csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, '0.10'])
    assert.equal(line, 'plain,"a,b","say ""hi""","two\nlines",,0.10')
  })
})
