import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TableRow } from '../table-protocol.ts'
import { csvOf, csvText } from './csv.ts'

const row = (...texts: string[]): TableRow => ({
  ...{ id: texts.join(), market: '', action: '' },
  cells: texts.map((text) => ({ text, side: '' })),
})

test('an exported file has numbers without thousands separators, and words without signs', () => {
  const text = csvText(['Side', 'Amount'], [row('▲ buy', '1,234,567.50'), row('▼ sell', '-1,000')])
  assert.equal(text, 'Side,Amount\r\nbuy,1234567.50\r\nsell,-1000\r\n')
})

test('an exported file of displayed texts follows the same rules as one of raw values', () => {
  const text = csvOf({
    columns: ['Market', 'State'],
    rows: [
      ['=ETH', '▲ halted'],
      ['-1', ''],
    ],
  })
  assert.equal(text, "Market,State\r\n'=ETH,halted\r\n-1,\r\n")
})

test('an exported file quotes commas and quotes, and has nothing that is run as a formula', () => {
  const text = csvText(['Token'], [row('a, b'), row('a "b"'), row('=1+1'), row('+cmd'), row('+5')])
  assert.equal(text, 'Token\r\n"a, b"\r\n"a ""b"""\r\n\'=1+1\r\n\'+cmd\r\n+5\r\n')
})
