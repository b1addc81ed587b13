// Status of the venue and of the connection to it, for display.

/**
 * `resync`: reconnected, catching up; `stale`: no data for a while, so the display may be outdated;
 * `down`: nothing has been reachable for long.
 */
export type ConnectionState = 'connecting' | 'resync' | 'open' | 'stale' | 'lost' | 'down'

/** Members are empty before the venue has reported them. */
export type NetworkStatus = Readonly<{
  name: string
  /** Money has no value. */
  isDevnet: boolean
  trading: '' | 'live' | 'coming_soon' | 'cancel_only'
}>

export type Trust = Readonly<{ block: string; isChecked: boolean }>

/** `none`: there is nothing to judge. Each is shown with a sign and a word, not only by colour. */
export type Judgement = 'good' | 'warn' | 'bad' | 'none'
export type StatusLine = Readonly<{ name: string; value: string; judgement: Judgement }>
type StatusGroup = Readonly<{ title: string; lines: readonly StatusLine[] }>
export type StatusView = readonly StatusGroup[]
