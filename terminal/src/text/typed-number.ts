// Parses typed and pasted numbers. Never guesses: ambiguous text is rejected with its possible
// readings.
import { StepError } from 'openvenue'
import * as text from './text.ts'

const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/
const PLAIN = /^(?=\.?\d)\d*(\.\d*)?$/
const CONTINENTAL = /^\d{1,3}(\.\d{3})*,\d+$|^\d+,\d+$/
const NEGATIVE = /^[-−]/
/** Spaces of all kinds, and characters that people put between or before digits. */
const ORNAMENTS = /[\s_'’$]/g

/** Returns typed text as decimal text: "1,234.5" is "1234.5". Throws a `StepError` otherwise. */
export function readTyped(typed: string): string {
  const number = typed.replaceAll(ORNAMENTS, '').replace(/^\+/, '')
  if (number === '') throw new StepError(text.enterNumber)
  if (GROUPED.test(number)) return normal(number.replaceAll(',', ''))
  if (PLAIN.test(number)) return normal(number)
  if (NEGATIVE.test(number)) throw new StepError(text.noSign)
  if (!CONTINENTAL.test(number)) throw new StepError(text.onePoint)
  const meant = normal(number.replaceAll('.', '').replace(',', '.'))
  throw new StepError(text.useCommas, [meant])
}

/** Removes redundant zeros: neither ".5" nor "007" is decimal text. */
function normal(number: string): string {
  const [whole = '', part = ''] = number.split('.')
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return part === '' ? digits : `${digits}.${part}`
}
