// JSON of events and changes that people can review: a big integer is text with an `n` at its end.

/** Returns `value` as JSON; big integers become `"12n"`. */
export const encodeExact = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))

/** Returns the value in `text`, which must come from `encodeExact`. */
export const decodeExact = (text: string): unknown =>
  JSON.parse(text, (_, part) =>
    typeof part === 'string' && /^-?\d+n$/.test(part) ? BigInt(part.slice(0, -1)) : part,
  )
