// What the page shows while the venue's API is away and the chain itself is read.

/** Whether what is shown is read from the chain, of which block, and what is wrong with that. */
export type ChainShown = Readonly<{
  isOn: boolean
  /** Nothing new has come from the node for a while. */
  isOld: boolean
  block: string
  /** Of the block: "2 s". */
  age: string
  /** Why the chain can't be read, or not all of it; empty where it can. */
  problem: string
}>

export const NO_CHAIN: ChainShown = { isOn: false, isOld: false, block: '', age: '', problem: '' }
