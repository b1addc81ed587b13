// What is measured of the page: plain data, which the bench reads as well.

/** Since the navigation began, in milliseconds; 0 where it has not been yet. */
export type LoadFigures = {
  /** The book stands in the tree, and is drawn. */
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
   * Of each frame that shows news: from the arrival of their oldest message in the worker until the
   * frame is drawn.
   */
  bookMs: number[]
  tradesMs: number[]
  /** Messages that those frames have shown. */
  bookMessages: number
  tradesMessages: number
  /** Posts of the worker to the page. */
  posts: number
  /** Posts that came while the page was hidden, without those of its title alone. */
  hiddenPosts: number
  /** Posts of nothing but the title, which the tab of a hidden page shows. */
  titles: number
  /** Tasks of the page of 50 ms and more. */
  longTasksMs: number[]
  /** Changes of the page's tree but for its title, counted while `isCounting`. */
  mutations: number
  isCounting: boolean
}

/** Of a hidden page. */
export type HiddenFigures = Readonly<{
  /** Posts of the worker and changes of the tree while it is hidden. */
  posts: number
  mutations: number
  /** Posts of its title alone: the tab shows the price. */
  titles: number
  /** Posts that have come by the frame that is the first to show something. */
  postsAfter: number
  /** Until then, from when it is seen again. */
  caughtUpMs: number
}>

export type OpenFigures = Readonly<{
  quiet: FrameFigures
  /** The same while the chart is dragged and the tables are opened. */
  used: FrameFigures
  hidden: HiddenFigures
}>

/** At `ms` since the beginning; bytes, and messages of the book since the sample before. */
export type HeapSample = Readonly<{
  ms: number
  page: number
  worker: number
  nodes: number
  messages: number
}>

/** What an open page asks of the API. */
export type Traffic = Readonly<{
  /** Requests until the book is there, and messages to the socket before it sends one. */
  requestsBefore: number
  messagesBefore: number
  /** Bytes of scripts as they came over the network, until the book and in all. */
  scriptBytesBefore: number
  scriptBytes: number
  styleBytes: number
  /** Names of the scripts that came. */
  scripts: readonly string[]
  /** Requests to the API in a minute, of a page that is only looked at. */
  requestsPerMinute: number
  channels: readonly string[]
  sockets: number
}>

/** How much is measured. */
export type Measured = Readonly<{
  url: string
  market: string
  loads: number
  seconds: number
  minutes: number
}>
export type TerminalFigures = Readonly<{
  asked: Measured
  loads: readonly LoadFigures[]
  /** Of the page without anything, in turns with those. */
  bare: readonly LoadFigures[]
  traffic: Traffic
  open: OpenFigures
  heap: readonly HeapSample[]
}>
