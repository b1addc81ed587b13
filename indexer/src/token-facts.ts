// Reads the names and decimals of tokens. Anyone can create a token, so that no answer may stop the
// indexer, delay it or fill its memory: a call has little gas, which bounds the node's work and the
// length of the answer, and an invalid answer counts as none.
import type { TokenFacts } from '@openvenue/core/pool-events'
import { DECIMALS_MAX } from '@openvenue/core/units'
import { type RpcCall, RpcError } from '@openvenue/runtime/json-rpc'
import type { Rpc } from './rpc.ts'

/** Selectors of the called functions. */
const SELECTORS = {
  symbol: '0x95d89b41',
  name: '0x06fdde03',
  decimals: '0x313ce567',
  totalSupply: '0x18160ddd',
} as const
type Question = keyof typeof SELECTORS
const QUESTIONS = Object.keys(SELECTORS) as Question[]

/** A token behind a proxy takes 30,000; this much gas buys less than half a megabyte of memory. */
const CALL_GAS = 500_000
/** Names are shown with 64 characters; much longer ones are cut before parsing. */
const TEXT_BYTES_MAX = 1024
/** Hex digits of a word of 32 bytes. */
const WORD_CHARS = 64
/** Attempts on a failing node, after which the token counts as one that does not answer. */
export const TOKEN_FAILURES_MAX = 3

type Answers = Readonly<Record<Question, string | undefined>>

/** Reads tokens, and counts the node failures of each. */
export class TokenReader {
  readonly #rpc: Rpc
  /** Bounded by the tokens read in one range of blocks: those that were read are removed. */
  readonly #failures = new Map<string, number>()

  constructor(rpc: Rpc) {
    this.#rpc = rpc
  }

  /**
   * Returns the facts of `token` at the end of the block with `blockHash`, or the current ones when
   * the node has pruned that state. Throws an `RpcError` when the node fails, TOKEN_FAILURES_MAX
   * times at most.
   */
  async readFacts(token: string, blockHash: string): Promise<TokenFacts> {
    const facts = parseFacts(token, await this.#collectAnswers(token, blockHash))
    this.#failures.delete(token)
    return facts
  }

  async #collectAnswers(token: string, blockHash: string): Promise<Answers> {
    try {
      return await this.#ask(token, blockHash)
    } catch (error) {
      const failures = (this.#failures.get(token) ?? 0) + 1
      this.#failures.set(token, failures)
      if (!(error instanceof RpcError) || failures <= TOKEN_FAILURES_MAX) throw error
      return NO_ANSWERS
    }
  }

  /** Sends all calls at once, and each on its own if the node refuses one of them. */
  async #ask(token: string, blockHash: string): Promise<Answers> {
    const at = { blockHash }
    const together = await refusable(() =>
      this.#rpc(QUESTIONS.map((fact) => encodeQuestion(token, fact, at))),
    )
    const answers =
      together ?? (await Promise.all(QUESTIONS.map((fact) => this.#askOne(token, fact, at))))
    return Object.fromEntries(
      QUESTIONS.map((fact, index) => [fact, parseHex(answers[index])]),
    ) as Answers
  }

  async #askOne(token: string, question: Question, at: object): Promise<unknown> {
    try {
      return (await this.#rpc([encodeQuestion(token, question, at)]))[0]
    } catch (error) {
      if (!isRefusal(error)) throw error
      // The token reverts, or the node has pruned the state of that block.
      if (isOfToken(error)) return undefined
    }
    const now = await refusable(() => this.#rpc([encodeQuestion(token, question, 'latest')]))
    return now?.[0]
  }
}

const NO_ANSWERS: Answers = {
  symbol: undefined,
  name: undefined,
  decimals: undefined,
  totalSupply: undefined,
}

const encodeQuestion = (token: string, question: Question, at: object | string): RpcCall => ({
  method: 'eth_call',
  params: [{ to: token, data: SELECTORS[question], gas: `0x${CALL_GAS.toString(16)}` }, at],
})

const isRefusal = (error: unknown): error is RpcError =>
  error instanceof RpcError && (error.kind === 'refused' || error.kind === 'tooLarge')

/** The code of a revert (3), and messages of nodes about other errors within the call. */
const isOfToken = (error: RpcError) =>
  error.code === 3 || /revert|opcode|out of gas|outofgas|stack|jump/i.test(error.message)

/** Returns the result of `ask`; undefined if the node refuses it. */
async function refusable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (!isRefusal(error)) throw error
    return undefined
  }
}

const parseHex = (answer: unknown) =>
  typeof answer === 'string' && /^0x[0-9a-f]*$/i.test(answer) ? answer.slice(2) : undefined

function parseFacts(address: string, answers: Answers): TokenFacts {
  const decimals = parseWord(answers.decimals)
  return {
    address,
    symbol: parseText(answers.symbol),
    name: parseText(answers.name),
    decimals: decimals === undefined || decimals > DECIMALS_MAX ? null : Number(decimals),
    totalSupply: parseWord(answers.totalSupply) ?? null,
  }
}

/** Returns the first word of an answer; undefined if there is none. */
function parseWord(hex: string | undefined, at = 0): bigint | undefined {
  const word = hex?.slice(at, at + WORD_CHARS)
  return word?.length === WORD_CHARS ? BigInt(`0x${word}`) : undefined
}

/** Returns a text: an ABI `string`, or bytes32 as in early tokens; otherwise ''. */
function parseText(hex: string | undefined): string {
  if (hex === undefined) return ''
  if (hex.length === WORD_CHARS) return decodeUtf8(hex)
  const offset = parseWord(hex)
  if (offset === undefined || offset > BigInt(hex.length)) return ''
  const at = Number(offset) * 2
  const length = parseWord(hex, at)
  if (length === undefined) return ''
  const from = at + WORD_CHARS
  const bytes = length < TEXT_BYTES_MAX ? Number(length) : TEXT_BYTES_MAX
  return decodeUtf8(hex.slice(from, from + bytes * 2))
}

/** PostgreSQL refuses NUL in text; bytes32 is padded with it. */
const decodeUtf8 = (hex: string) => Buffer.from(hex, 'hex').toString('utf8').replaceAll('\0', '')
