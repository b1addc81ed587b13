// Shows a name that somebody else chose: whoever makes a token writes its symbol.

const CHARS_MAX = 32
/**
 * What is not seen: controls and line ends, marks that turn the direction of the text beside them,
 * halves of a character.
 */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu

/** Returns a name on one line, without what would change how the texts beside it are read. */
export function foreignName(text: string): string {
  const seen = [...text.replaceAll(UNSEEN, '�')]
  return seen.length > CHARS_MAX ? `${seen.slice(0, CHARS_MAX - 1).join('')}…` : seen.join('')
}
