// Compares at every block what accounts may claim with what the engines hold of each token. Claims
// are summed from the logs, holdings are what the token says of that very block. Exact: integers
// only; metrics show a flag, and amounts rounded for the eye.
import { once } from 'node:events'
import type { BlockChanges } from '@openvenue/core/changes'
import type { VenueState } from '@openvenue/core/state'
import { type RpcCall, RpcError } from '@openvenue/store/json-rpc'
import { Signal } from '@openvenue/store/signal'
import { ClaimSums, type Claims } from './claims.ts'
import type { Deployment } from './deployment.ts'
import { pause } from './heads.ts'
import type { Rpc } from './rpc.ts'

/** What an engine holds of a token against what may be claimed of it, in `scale` parts of one. */
export type Holding = Readonly<{
  engine: 'spot' | 'perps'
  token: string
  symbol: string
  claimed: bigint
  held: bigint
  scale: bigint
}>

export type SolvencyDeps = Readonly<{
  rpc: Rpc
  deployment: Pick<Deployment, 'spot' | 'perps'>
  /** Newest block of the chain: further behind it, nodes may have forgotten what a token said. */
  headNumber: () => number | undefined
  /** Hears of each token at each block that was compared. */
  compared: (block: number, holding: Holding) => void
  failed: (error: unknown) => void
}>

const BALANCE_OF = '0x70a08231'
const COLLATERAL = '0xd8dfeb45'
/** A token that needs more for its balance is asked in vain. */
const CALL_GAS = 500_000
const WORD = /^0x[0-9a-f]{64}$/i
const WORD_CHARS = 64
const ADDRESS_CHARS = 40
const PERPS_SCALE = 10n ** 18n
/** Older blocks are not compared: while the chain is read from its beginning, none is. */
const BEHIND_MAX = 64
const RETRY_MS = 1_000
/** Questions of one request; a node may refuse more than a thousand. */
const CALLS_MAX = 100

type Question = Omit<Holding, 'held'> &
  Readonly<{
    holder: string
    /** A raw unit of the token in the parts that `claimed` counts. */
    unit: bigint
  }>

export class Solvency {
  readonly #deps: SolvencyDeps
  readonly #sums = new ClaimSums()
  readonly #moved = new Signal()
  #collateral: string | undefined

  constructor(deps: SolvencyDeps) {
    this.#deps = deps
  }

  loaded(state: VenueState): void {
    this.#sums.load(state)
    this.#moved.set()
  }

  committed(blocks: readonly BlockChanges[]): void {
    this.#sums.take(blocks)
    this.#moved.set()
  }

  /** Compares after each commit until `signal` aborts; of those that come meanwhile, the last. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#moved.wait((quiet) => aborted(AbortSignal.any([quiet, signal])))
      const claims = this.#sums.read()
      if (signal.aborted || claims === undefined || !this.#isNear(claims)) continue
      try {
        await this.#compare(claims)
      } catch (error) {
        this.#deps.failed(error)
        this.#moved.set()
        await pause(RETRY_MS, signal)
      }
    }
  }

  #isNear({ header }: Claims): boolean {
    return (this.#deps.headNumber() ?? header.number) - header.number <= BEHIND_MAX
  }

  async #compare(claims: Claims): Promise<void> {
    const questions = await this.#questions(claims)
    for (let from = 0; from < questions.length; from += CALLS_MAX)
      await this.#compareSome(claims, questions.slice(from, from + CALLS_MAX))
  }

  async #compareSome({ header }: Claims, questions: readonly Question[]): Promise<void> {
    const { rpc, compared } = this.#deps
    const at = { blockHash: header.hash }
    const calls = questions.map(({ token, holder }) => encodeCall(token, balanceOf(holder), at))
    // One token that refuses to answer hides no other.
    const answers = await rpc(calls).catch(() => undefined)
    const failures: unknown[] = []
    for (const [index, { holder: _, unit, ...question }] of questions.entries()) {
      try {
        const answer = answers?.[index] ?? (await rpc(calls.slice(index, index + 1)))[0]
        compared(header.number, { ...question, held: parseWord(question.token, answer) * unit })
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #questions({ spot, perps, tokens, header }: Claims): Promise<readonly Question[]> {
    const { deployment } = this.#deps
    const collateral = await this.#readCollateral(header.hash)
    return [...tokens].flatMap(([token, { symbol, decimals }]) => {
      const scale = 10n ** BigInt(decimals)
      const claimed = spot.get(token) ?? 0n
      const ofSpot = { token, symbol, engine: 'spot', holder: deployment.spot } as const
      const ofPerps = { token, symbol, engine: 'perps', holder: deployment.perps } as const
      const asked: Question[] = [{ ...ofSpot, claimed, scale, unit: 1n }]
      if (token === collateral)
        asked.push({ ...ofPerps, claimed: perps, scale: PERPS_SCALE, unit: PERPS_SCALE / scale })
      return asked
    })
  }

  /** It never changes. */
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

/** Throws unless `answer` is a word: a contract that is not there says nothing. */
function parseWord(contract: string, answer: unknown): bigint {
  if (typeof answer === 'string' && WORD.test(answer)) return BigInt(answer)
  throw new RpcError('refused', `${contract} does not say what it holds`)
}
