// Formats decimal text for display. Exact: the text is never converted to a number.

/** Returns `text` with commas between thousands, cut to `decimals` digits after the point. */
export function showDecimal(text: string, decimals?: number): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const shown = decimals === undefined ? part : part.slice(0, decimals).padEnd(decimals, '0')
  return `${sign}${grouped}${shown === '' ? '' : `.${shown}`}`
}

/** Returns the number of decimals of a step. */
export const decimalsOf = (step: string): number => step.split('.')[1]?.length ?? 0

/** Returns a fraction as a percentage with its sign: `0.0123` is `+1.23%`. */
export function showPercent(fraction: string, decimals: number): string {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(fraction) ?? []
  const digits = `${whole}${part.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '')
  const rest = part.slice(2, 2 + decimals).padEnd(decimals, '0')
  return `${sign === '-' ? '-' : '+'}${digits}${decimals === 0 ? '' : `.${rest}`}%`
}
