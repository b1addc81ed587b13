// Readable JSON of events and changes: a big integer is text with a trailing `n`.

/** Returns `value` as JSON; big integers become `"12n"`. */
export const encodeExact = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))

/** Returns the value encoded in `text`, which must come from `encodeExact`. */
export const decodeExact = (text: string): unknown =>
  JSON.parse(text, (_, part) =>
    typeof part === 'string' && /^-?\d+n$/.test(part) ? BigInt(part.slice(0, -1)) : part,
  )
