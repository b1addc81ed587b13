// Compares a head with the committed blocks. A node without a block proves nothing: only another
// block in its place does, and of several endpoints only a majority.
import type { Header } from '@openvenue/core/events'
import { type Ballot, findMajority, findVoters, isRefuted } from './ballot.ts'
import {
  BATCH_CALLS_MAX,
  behindError,
  type ChainHeader,
  headerCall,
  movedError,
  parseHeader,
} from './chain.ts'
import type { Endpoints } from './endpoints.ts'
import { ChainDiverged, commonAncestor, type ReadHeader } from './reorg.ts'

/**
 * `held`: the head's chain contains the stored block. `lagging`: the node is behind it. `forked`:
 * the stored block is no longer in the chain. `outvoted`: most endpoints do not have the head's
 * chain.
 */
type Agreement = 'held' | 'lagging' | 'forked' | 'outvoted'

type AgreementDeps = Readonly<{
  endpoints: Endpoints
  readHeader: ReadHeader
  /** Returns the stored chain's hash of block 0; stores `hash` if there is none. */
  keepGenesis(hash: string): Promise<string>
  nowMs: () => number
}>

/** Sightings of a shorter chain of other blocks before a single endpoint is believed. */
const SIGHTINGS_MIN = 3
/** A node that restarts may serve an empty chain until it has loaded its own. */
export const OTHER_GENESIS_MS_MIN = 15_000

export class Agreements {
  readonly #deps: AgreementDeps
  /** Number of consecutive heads from shorter chains of other blocks. */
  #sightings = 0
  /** Block 0 of the stored chain; undefined before the first comparison with nodes. */
  #genesis: string | undefined
  #otherGenesisSinceMs: number | undefined

  constructor(deps: AgreementDeps) {
    this.#deps = deps
  }

  /** Records that new blocks continue the stored chain. */
  recordProgress(): void {
    this.#sightings = 0
    this.#otherGenesisSinceMs = undefined
  }

  /**
   * Stores the chain's block 0, once. Another one proves nothing while newer blocks match: a
   * development chain may drop its first blocks.
   */
  async learnGenesis(): Promise<void> {
    if (this.#genesis !== undefined) return
    const [ballot = []] = await this.#ballots([0])
    const chain = findMajority(ballot)
    if (chain !== undefined) this.#genesis = await this.#deps.keepGenesis(chain)
  }

  /** Returns the agreement; throws an `RpcError` when it is not known yet, and `ChainDiverged`. */
  async agreementWith(stored: Header, head: ChainHeader): Promise<Agreement> {
    if (head.number >= stored.number) return this.#agreementAt(stored, head)
    const ours = await this.#deps.readHeader(head.number)
    if (ours === undefined) await this.#expectGenesis()
    if (ours === undefined || ours.hash === head.hash) {
      this.#sightings = 0
      return 'lagging'
    }
    const agreement = await this.#agreementAt(ours, head)
    if (agreement === 'forked' && this.#deps.endpoints.count === 1)
      if (++this.#sightings < SIGHTINGS_MIN) throw movedError(head.number)
    return agreement === 'held' ? 'lagging' : agreement
  }

  /** Returns the newest stored block that the chain of `head` still contains. */
  ancestor(stored: Header, head: Header): Promise<number> {
    const { readHeader } = this.#deps
    return commonAncestor({ readHeader, ballots: this.#ballots }, stored, head.number)
  }

  async #agreementAt(ours: Header, head: ChainHeader): Promise<Agreement> {
    const { endpoints } = this.#deps
    const [ballot = []] = await this.#ballots([ours.number])
    if (ballot.every((hash) => hash === undefined)) throw behindError(ours.number)
    if (isRefuted(ballot, ours.hash)) {
      endpoints.condemn(findVoters(ballot, ours.hash, true))
      return 'forked'
    }
    const vote = ballot[head.source.endpoint]
    if (findMajority(ballot) === ours.hash) endpoints.condemn(findVoters(ballot, ours.hash, false))
    return vote === undefined || vote === ours.hash ? 'held' : 'outvoted'
  }

  /** A head far below the stored blocks may belong to a restarted chain. */
  async #expectGenesis(): Promise<void> {
    const genesis = this.#genesis
    if (genesis === undefined) return
    const [ballot = []] = await this.#ballots([0])
    if (isRefuted(ballot, genesis)) this.#refuse(genesis, findMajority(ballot) ?? 'others')
    else this.#otherGenesisSinceMs = undefined
  }

  #refuse(stored: string, chain: string): void {
    const now = this.#deps.nowMs()
    this.#otherGenesisSinceMs ??= now
    if (now - this.#otherGenesisSinceMs >= OTHER_GENESIS_MS_MIN)
      throw new ChainDiverged(0, { stored, chain })
  }

  readonly #ballots = async (numbers: readonly number[]): Promise<readonly Ballot[]> => {
    const answers = await this.#deps.endpoints.ask(
      numbers.slice(0, BATCH_CALLS_MAX).map(headerCall),
    )
    return numbers.map((_, at) =>
      answers.map((blocks) => {
        const block = blocks?.[at]
        return block === null || block === undefined ? undefined : parseHeader(block).hash
      }),
    )
  }
}
