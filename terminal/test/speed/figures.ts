// Measurements of the page, as plain data that the bench reads as well.

/** Milliseconds since the navigation began; 0 if it has not happened yet. */
export type LoadFigures = {
  /** Time until the book is in the tree, and until it is painted. */
  madeMs: number
  bookMs: number
  largestPaintMs: number
  layoutShift: number
  /** Longest task of the page that was at least 50 ms long. */
  longTaskMs: number
}

/** Times are of one clock, Unix milliseconds with fractions. */
export type FrameFigures = {
  /**
   * For each frame with new data: the time from the arrival of its oldest message in the worker
   * until the frame is painted.
   */
  bookMs: number[]
  tradesMs: number[]
  /** Messages that those frames have shown. */
  bookMessages: number
  tradesMessages: number
  posts: number
  /** Posts while the page was hidden, without those of only its title. */
  hiddenPosts: number
  /** Posts of only the title, which the tab of a hidden page shows. */
  titles: number
  /** Tasks of the page of 50 ms and more. */
  longTasksMs: number[]
  /** Changes of the page's tree except its title, counted while `isCounting`. */
  mutations: number
  isCounting: boolean
}

export type HiddenFigures = Readonly<{
  /** Posts of the worker and changes of the tree while it is hidden. */
  posts: number
  mutations: number
  /** Posts of only its title: the tab shows the price. */
  titles: number
  /** Posts up to the first frame that shows new data. */
  postsAfter: number
  /** Time from becoming visible until that frame. */
  caughtUpMs: number
}>

export type OpenFigures = Readonly<{
  quiet: FrameFigures
  /** The same while the chart is dragged and the tables are opened. */
  used: FrameFigures
  hidden: HiddenFigures
}>

/** At `ms` since the start; bytes, and messages of the book since the previous sample. */
export type HeapSample = Readonly<{
  ms: number
  page: number
  worker: number
  nodes: number
  messages: number
}>

/** Requests of an open page to the API. */
export type Traffic = Readonly<{
  /** Requests until the book is there, without the chart; messages to the socket until it sends. */
  requestsBefore: readonly string[]
  messagesBefore: number
  /** Bytes of scripts as transferred over the network, until the book and in total. */
  scriptBytesBefore: number
  scriptBytes: number
  styleBytes: number
  scripts: readonly string[]
  /** Requests to the API in a minute, of a page that is only viewed. */
  requestsPerMinute: number
  channels: readonly string[]
  sockets: number
}>

export type MeasureOptions = Readonly<{
  url: string
  market: string
  loads: number
  seconds: number
  minutes: number
}>
export type TerminalFigures = Readonly<{
  asked: MeasureOptions
  loads: readonly LoadFigures[]
  /** Loads of the empty page, alternating with those. */
  bare: readonly LoadFigures[]
  traffic: Traffic
  open: OpenFigures
  heap: readonly HeapSample[]
}>
