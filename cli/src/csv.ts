// Writes rows as CSV of RFC 4180, without its carriage returns.

/** Returns a line: what has a comma, a quote or a line break is quoted; null is empty. */
export const csvLine = (values: readonly (string | null)[]): string =>
  values.map((value) => quote(value ?? '')).join(',')

const quote = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
