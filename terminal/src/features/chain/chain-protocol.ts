// State of the display while the venue's API is down and data comes from the chain.

/** Source of the display: whether it is the chain, at which block, and with which problems. */
export type ChainStatus = Readonly<{
  isOn: boolean
  /** The node has sent no newer block for a while. */
  isOld: boolean
  block: string
  /** Age of the block, such as "2 s". */
  age: string
  /** Why the chain cannot be read, or only in part; empty if it can. */
  problem: string
}>

export const NO_CHAIN: ChainStatus = { isOn: false, isOld: false, block: '', age: '', problem: '' }
