// Sanitizes third-party names, such as token symbols, for display.

const CHARS_MAX = 32
/**
 * Invisible characters: controls and line ends, marks that change text direction, and unpaired
 * surrogates.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Returns a name on one line, without characters that would affect the text beside it. */
export function foreignName(text: string): string {
  const seen = [...text.replaceAll(UNSEEN, '�')]
  return seen.length > CHARS_MAX ? `${seen.slice(0, CHARS_MAX - 1).join('')}…` : seen.join('')
}
