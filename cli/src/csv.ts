// Writes rows as RFC 4180 CSV, without carriage returns.

/** Returns a line. Values with a comma, quote or line break are quoted; null is empty. */
export const csvLine = (values: readonly (string | null)[]): string =>
  values.map((value) => quote(value ?? '')).join(',')

const quote = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
