// User settings, stored as text in localStorage, which holds only these and the options of the
// chart. Invalid values are replaced by defaults.
import { createEffect } from 'solid-js'
import { createStore } from 'solid-js/store'
import { ORDER_TYPES } from '../order/order-protocol.ts'

export const THEMES = ['dark', 'light', 'system'] as const
export const PALETTES = ['green-red', 'blue-orange'] as const
export const MOTIONS = ['system', 'less'] as const
/** Minimum and maximum height of the bottom panel. Pixels. */
export const BOTTOM_PX = { min: 96, max: 640 } as const
const KEY = 'openvenue.settings'

export type SettingsStore = Readonly<{
  chosen: Settings
  choose: (change: Partial<Settings>) => void
}>

/** Reads the stored settings. Each change is applied immediately and stored. */
export function createSettings(): SettingsStore {
  const [chosen, setChosen] = createStore<Settings>(read())
  createEffect(() => {
    const root = document.documentElement.dataset
    root['theme'] = chosen.theme
    root['palette'] = chosen.palette
    root['motion'] = chosen.motion
    root['mirror'] = String(chosen.isMirrored)
    document.documentElement.style.setProperty('--bottom-px', `${chosen.bottomPx}px`)
    keep({ ...chosen })
  })
  return { chosen, choose: (change) => setChosen(change) }
}

// A browser may refuse storage: then the defaults apply.
function read(): Settings {
  try {
    return readSettings(localStorage.getItem(KEY))
  } catch {
    return DEFAULTS
  }
}

function keep(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // The choice lasts until the page is left.
  }
}

type Settings = Readonly<{
  theme: (typeof THEMES)[number]
  palette: (typeof PALETTES)[number]
  motion: (typeof MOTIONS)[number]
  /** Chart on the right. */
  isMirrored: boolean
  bottomPx: number
  /** Names of markets, in the order in which they were chosen. */
  favourites: readonly string[]
  /** Type, unit and slippage of the last order. */
  orderType: (typeof ORDER_TYPES)[number]
  amountUnit: 'base' | 'quote'
  slippage: string
  /** Index of the price grouping of the book. */
  bookGroup: number
  /** List orders and positions of all markets, or only of the displayed one. */
  listsAll: boolean
  /** Confirm before cancelling all orders or closing positions. */
  asksFirst: boolean
  /** Keep the typed amount after an order was placed. */
  keepsSize: boolean
  /** Show system notifications while the page is hidden. */
  hasSystemAlerts: boolean
  hasSounds: boolean
  /** Enable single-key shortcuts outside of input fields. */
  hasSingleKeys: boolean
}>

export const DEFAULTS: Settings = {
  theme: 'dark',
  palette: 'green-red',
  motion: 'system',
  isMirrored: false,
  bottomPx: 220,
  favourites: [],
  ...{ orderType: 'limit', amountUnit: 'base', slippage: '1', bookGroup: 0, listsAll: true },
  asksFirst: true,
  keepsSize: true,
  hasSystemAlerts: false,
  hasSounds: false,
  hasSingleKeys: true,
}

export function readSettings(text: string | null): Settings {
  const stored = parse(text)
  return {
    theme: pick(THEMES, stored['theme']),
    palette: pick(PALETTES, stored['palette']),
    motion: pick(MOTIONS, stored['motion']),
    isMirrored: stored['isMirrored'] === true,
    bottomPx: limitBottom(stored['bottomPx']),
    favourites: readNames(stored['favourites']),
    orderType: pick(ORDER_TYPES, stored['orderType']),
    amountUnit: stored['amountUnit'] === 'quote' ? 'quote' : 'base',
    slippage: pickSlippage(stored['slippage']),
    bookGroup: pick([0, 1, 2, 3], stored['bookGroup']),
    listsAll: stored['listsAll'] !== false,
    asksFirst: stored['asksFirst'] !== false,
    keepsSize: stored['keepsSize'] !== false,
    hasSystemAlerts: stored['hasSystemAlerts'] === true,
    hasSounds: stored['hasSounds'] === true,
    hasSingleKeys: stored['hasSingleKeys'] !== false,
  }
}

/** Returns a valid height of the bottom panel. */
export function limitBottom(px: unknown): number {
  if (typeof px !== 'number' || !Number.isFinite(px)) return DEFAULTS.bottomPx
  return Math.min(Math.max(Math.round(px), BOTTOM_PX.min), BOTTOM_PX.max)
}

const readNames = (stored: unknown): readonly string[] =>
  Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []

function parse(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    return typeof stored === 'object' && stored !== null ? { ...stored } : {}
  } catch {
    return {}
  }
}

const pickSlippage = (stored: unknown): string =>
  typeof stored === 'string' && /^\d{1,2}(\.\d{1,4})?$/.test(stored) ? stored : DEFAULTS.slippage

const pick = <Choice extends string | number>(
  choices: readonly [Choice, ...Choice[]],
  stored: unknown,
): Choice => choices.find((choice) => choice === stored) ?? choices[0]
