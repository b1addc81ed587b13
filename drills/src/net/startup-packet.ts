// Parses the first packet of a PostgreSQL connection, which names the application.

/** Version 3.0 of the protocol, as the packet has it. */
const PROTOCOL = 196_608
/** Length and version, four bytes each. */
const HEAD_BYTES = 8

/** Returns what `first`, the first bytes of a connection, gives as application_name. */
export function applicationName(first: Buffer): string | undefined {
  if (first.length < HEAD_BYTES || first.readInt32BE(4) !== PROTOCOL) return undefined
  const words = first.subarray(HEAD_BYTES).toString('utf8').split('\0')
  for (let index = 0; index + 1 < words.length; index += 2)
    if (words[index] === 'application_name') return words[index + 1]
  return undefined
}
