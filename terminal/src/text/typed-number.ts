// Parses typed and pasted numbers. Never guesses: ambiguous text is rejected with its possible
// readings.
import { StepError } from 'openvenue'

const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/
const PLAIN = /^(?=\.?\d)\d*(\.\d*)?$/
const CONTINENTAL = /^\d{1,3}(\.\d{3})*,\d+$|^\d+,\d+$/
const NEGATIVE = /^[-−]/
/** Spaces of all kinds, and characters that people put between or before digits. */
const ORNAMENTS = /[\s_'’$]/g

/** Returns typed text as decimal text: "1,234.5" is "1234.5". Throws a `StepError` otherwise. */
export function readTyped(typed: string): string {
  const text = typed.replaceAll(ORNAMENTS, '').replace(/^\+/, '')
  if (text === '') throw new StepError('Enter a number')
  if (GROUPED.test(text)) return normal(text.replaceAll(',', ''))
  if (PLAIN.test(text)) return normal(text)
  if (NEGATIVE.test(text)) throw new StepError('A number above zero, without a sign')
  if (!CONTINENTAL.test(text)) throw new StepError('Digits with one point, such as 1,234.5')
  const meant = normal(text.replaceAll('.', '').replace(',', '.'))
  throw new StepError('Use commas between thousands, a point before decimals', [meant])
}

/** Removes redundant zeros: neither ".5" nor "007" is decimal text. */
function normal(text: string): string {
  const [whole = '', part = ''] = text.split('.')
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return part === '' ? digits : `${digits}.${part}`
}
