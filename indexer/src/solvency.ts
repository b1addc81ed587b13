// Compares at every block the claims of accounts with the engines' balance of each token. Claims
// are summed from the logs; balances are read from the token at that block. The comparison uses
// exact integers; metrics export a flag and rounded amounts.
import { once } from 'node:events'
import type { BlockChanges } from '@openvenue/core/changes'
import type { Header } from '@openvenue/core/events'
import type { VenueState } from '@openvenue/core/state'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import { Signal } from '@openvenue/runtime/signal'
import { ClaimSums, type Claims } from './claims.ts'
import type { IndexerDeployment } from './deployment.ts'
import { pause } from './heads.ts'
import type { Rpc } from './rpc.ts'

/** An engine's balance of a token and the claims to it, in `scale` parts of one. */
export type Holding = Readonly<{
  engine: 'spot' | 'perps'
  token: string
  symbol: string
  claimed: bigint
  held: bigint
  scale: bigint
}>

type SolvencyDeps = Readonly<{
  rpc: Rpc
  deployment: Pick<IndexerDeployment, 'spot' | 'perps'>
  /** Newest block of the chain: nodes may have pruned the state of much older blocks. */
  headNumber: () => number | undefined
  /** Called for each token at each compared block. */
  compared: (block: number, holding: Holding) => void
  /** Called for the first block at which an engine holds less than is claimed, and for its end. */
  turned: (block: number, holding: Holding) => void
  failed: (error: unknown) => void
}>

const BALANCE_OF = '0x70a08231'
const COLLATERAL = '0xd8dfeb45'
/** Gas of a balance call; a token that needs more is not read. */
const CALL_GAS = 500_000
const WORD = /^0x[0-9a-f]{64}$/i
const WORD_CHARS = 64
const ADDRESS_CHARS = 40
const PERPS_SCALE = 10n ** 18n
/** Older blocks are not compared, so none are during a backfill. Also the maximum that wait. */
const BEHIND_MAX = 64
const RETRY_MS = 1_000
/** Refusals after which a node counts as without the state of a block, which is then skipped. */
const REFUSALS_MAX = 3
/** Blocks per round of requests, so that a slow node keeps up with a fast chain. */
const BLOCKS_AT_ONCE = 8
/** Maximum number of calls per request; a node may refuse more than a thousand. */
const CALLS_MAX = 100

type Question = Omit<Holding, 'held'> &
  Readonly<{
    holder: string
    /** A raw unit of the token in the parts of `claimed`. */
    unit: bigint
  }>

/** Holdings at a block, and the errors of calls that failed. */
type HoldingsAnswer = Readonly<{
  holdings: readonly Holding[]
  failures: readonly unknown[]
}>

export class Solvency {
  readonly #deps: SolvencyDeps
  readonly #sums = new ClaimSums()
  readonly #moved = new Signal()
  /** Blocks that are not compared yet, oldest first. */
  #queue: Claims[] = []
  #collateral: string | undefined
  /** Number of consecutive refusals of a whole block. */
  #refusals = 0
  /** Tokens with a shortfall. */
  readonly #lacking = new Set<string>()

  constructor(deps: SolvencyDeps) {
    this.#deps = deps
  }

  /** Starts over with `state`, since waiting blocks may have been undone. */
  loaded(state: VenueState): void {
    this.#sums.load(state)
    this.#queue = []
    this.#add(this.#sums.read())
    this.#moved.set()
  }

  committed(blocks: readonly BlockChanges[]): void {
    for (const block of blocks) {
      this.#sums.take(block)
      if (this.#isNear(block.header)) this.#add(this.#sums.read())
    }
    this.#moved.set()
  }

  /** Compares every block, in order, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#moved.wait((quiet) => aborted(AbortSignal.any([quiet, signal])))
      try {
        await this.#compareAll(signal)
      } catch (error) {
        this.#deps.failed(error)
        this.#moved.set()
        await pause(RETRY_MS, signal)
      }
    }
  }

  #add(claims: Claims | undefined): void {
    if (claims === undefined) return
    this.#queue.push(claims)
    if (this.#queue.length > BEHIND_MAX) this.#queue.shift()
  }

  #isNear(header: Header): boolean {
    return (this.#deps.headNumber() ?? header.number) - header.number <= BEHIND_MAX
  }

  /** Compares the waiting blocks in order; throws the reason why it has to wait. */
  async #compareAll(signal: AbortSignal): Promise<void> {
    while (this.#queue.length > 0 && !signal.aborted) {
      const some = this.#queue.slice(0, BLOCKS_AT_ONCE)
      const answers = await Promise.all(some.map((claims) => this.#ask(claims)))
      for (const [index, claims] of some.entries()) {
        // Meanwhile the state may have been reloaded, or older blocks dropped.
        if (this.#queue.includes(claims)) this.#take(claims, answers[index] as HoldingsAnswer)
      }
    }
  }

  /**
   * A block without any result waits along with later ones, but not for long when it is refused,
   * since the node may lack its state. When only one token refuses, the next blocks continue, and
   * the last one is retried.
   */
  #take(claims: Claims, { holdings, failures }: HoldingsAnswer): void {
    const { number } = claims.header
    for (const holding of holdings) {
      this.#deps.compared(number, holding)
      this.#reportChange(number, holding)
    }
    const isLast = this.#queue.at(-1) === claims
    if (holdings.length > 0) this.#refusals = 0
    if (failures.length > 0) {
      if (isLast || (holdings.length === 0 && !this.#isGivenUp(failures))) throw failures[0]
      this.#deps.failed(failures[0])
    }
    this.#queue.splice(0, this.#queue.indexOf(claims) + 1)
  }

  #isGivenUp(failures: readonly unknown[]): boolean {
    const isRefused = (error: unknown) => error instanceof RpcError && error.kind === 'refused'
    if (!failures.every(isRefused)) return false
    this.#refusals += 1
    return this.#refusals >= REFUSALS_MAX
  }

  async #ask(claims: Claims): Promise<HoldingsAnswer> {
    if (!this.#isNear(claims.header)) return { holdings: [], failures: [] }
    const holdings: Holding[] = []
    const failures: unknown[] = []
    try {
      const questions = await this.#questions(claims)
      for (let from = 0; from < questions.length; from += CALLS_MAX) {
        const some = await this.#askSome(claims, questions.slice(from, from + CALLS_MAX))
        holdings.push(...some.holdings)
        failures.push(...some.failures)
      }
      return { holdings, failures }
    } catch (error) {
      return { holdings, failures: [error] }
    }
  }

  async #askSome({ header }: Claims, questions: readonly Question[]): Promise<HoldingsAnswer> {
    const { rpc } = this.#deps
    const at = { blockHash: header.hash }
    const calls = questions.map(({ token, holder }) => encodeCall(token, balanceOf(holder), at))
    // One token that refuses to answer does not hide others.
    const answers = await rpc(calls).catch(() => undefined)
    const holdings: Holding[] = []
    const failures: unknown[] = []
    for (const [index, { holder: _, unit, ...question }] of questions.entries()) {
      try {
        const answer = answers?.[index] ?? (await rpc(calls.slice(index, index + 1)))[0]
        holdings.push({ ...question, held: parseWord(question.token, answer) * unit })
      } catch (error) {
        failures.push(error)
      }
    }
    return { holdings, failures }
  }

  #reportChange(block: number, holding: Holding): void {
    const { engine, token, claimed, held } = holding
    const key = `${engine} ${token}`
    if (claimed > held === this.#lacking.has(key)) return
    if (claimed > held) this.#lacking.add(key)
    else this.#lacking.delete(key)
    this.#deps.turned(block, holding)
  }

  async #questions({ spot, perps, tokens, header }: Claims): Promise<readonly Question[]> {
    const { deployment } = this.#deps
    const collateral = await this.#readCollateral(header.hash)
    return [...tokens].flatMap(([token, { symbol, decimals }]) => {
      const scale = 10n ** BigInt(decimals)
      const claimed = spot.get(token) ?? 0n
      const ofSpot = { token, symbol, engine: 'spot', holder: deployment.spot } as const
      const ofPerps = { token, symbol, engine: 'perps', holder: deployment.perps } as const
      const calls: Question[] = [{ ...ofSpot, claimed, scale, unit: 1n }]
      if (token === collateral)
        calls.push({ ...ofPerps, claimed: perps, scale: PERPS_SCALE, unit: PERPS_SCALE / scale })
      return calls
    })
  }

  /** The collateral token is immutable. */
  async #readCollateral(blockHash: string): Promise<string> {
    if (this.#collateral === undefined) {
      const { rpc, deployment } = this.#deps
      const [answer] = await rpc([encodeCall(deployment.perps, COLLATERAL, { blockHash })])
      const word = parseWord(deployment.perps, answer)
      this.#collateral = `0x${word.toString(16).padStart(ADDRESS_CHARS, '0')}`
    }
    return this.#collateral
  }
}

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort')
}

const balanceOf = (holder: string) =>
  `${BALANCE_OF}${holder.slice(2).toLowerCase().padStart(WORD_CHARS, '0')}`

const encodeCall = (to: string, data: string, at: object): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, gas: `0x${CALL_GAS.toString(16)}` }, at],
})

/** Throws unless `answer` is a word: a missing contract returns none. */
function parseWord(contract: string, answer: unknown): bigint {
  if (typeof answer === 'string' && WORD.test(answer)) return BigInt(answer)
  throw new RpcError('refused', `${contract} returned no balance`)
}
