// Reads settings from their text: whatever of it is not one of the choices is the default.

export const THEMES = ['system', 'dark', 'light'] as const
export const PALETTES = ['green-red', 'blue-orange'] as const
export const MOTIONS = ['system', 'less'] as const

/** Least and greatest height of the panel below. Pixels. */
export const BOTTOM_PX = { min: 96, max: 640 } as const

const ACCOUNT_PX_MAX = 1_000

export type Settings = Readonly<{
  theme: (typeof THEMES)[number]
  palette: (typeof PALETTES)[number]
  motion: (typeof MOTIONS)[number]
  /** The chart to the right. */
  isMirrored: boolean
  bottomPx: number
  /** How tall the account was when it was seen last; 0: there was none. Pixels. */
  accountPx: number
  /** Before orders are cancelled or positions closed. */
  asksFirst: boolean
  /** The amount of an order stays typed after it was placed. */
  keepsSize: boolean
  /** The system shows what happens while the page is not looked at. */
  hasSystemAlerts: boolean
  hasSounds: boolean
  /** A letter typed outside of fields does something. */
  hasSingleKeys: boolean
}>

export const DEFAULTS: Settings = {
  theme: 'system',
  palette: 'green-red',
  motion: 'system',
  isMirrored: false,
  bottomPx: 220,
  accountPx: 0,
  asksFirst: true,
  keepsSize: true,
  hasSystemAlerts: false,
  hasSounds: false,
  hasSingleKeys: true,
}

/** Returns the settings in `text`. */
export function readSettings(text: string | null): Settings {
  const kept = parse(text)
  return {
    theme: pick(THEMES, kept['theme']),
    palette: pick(PALETTES, kept['palette']),
    motion: pick(MOTIONS, kept['motion']),
    isMirrored: kept['isMirrored'] === true,
    bottomPx: limitBottom(kept['bottomPx']),
    accountPx: limitAccount(kept['accountPx']),
    asksFirst: kept['asksFirst'] !== false,
    keepsSize: kept['keepsSize'] !== false,
    hasSystemAlerts: kept['hasSystemAlerts'] === true,
    hasSounds: kept['hasSounds'] === true,
    hasSingleKeys: kept['hasSingleKeys'] !== false,
  }
}

/** Returns a height that the panel below may have. */
export function limitBottom(px: unknown): number {
  if (typeof px !== 'number' || !Number.isFinite(px)) return DEFAULTS.bottomPx
  return Math.min(Math.max(Math.round(px), BOTTOM_PX.min), BOTTOM_PX.max)
}

/** Returns a height that may be kept free for the account. */
const limitAccount = (px: unknown): number =>
  typeof px === 'number' && px >= 0 && px <= ACCOUNT_PX_MAX ? Math.round(px) : DEFAULTS.accountPx

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(text ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {}
  }
}

const pick = <Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  kept: unknown,
): Choice => choices.find((choice) => choice === kept) ?? choices[0]
