// Keeps statements prepared that the embedded database is asked again and again: planning one costs
// it more than running it, and sending it takes one step in place of five.
import { type Param, type SqlRow, standardLiteral } from './db.ts'

/** Runs a text without parameters; returns the rows of its last statement. */
type Execute = (text: string) => Promise<SqlRow[]>

/** A text that was asked fewer times is not prepared: it may never come again. */
const USES_MIN = 3
/** Texts of ours are fewer; more than so many are not counted. */
const TEXTS_MAX = 500
const PREPARED_MAX = 200
/** Only these can be prepared. */
const CAN = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i

export class PreparedTexts {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #next = 1

  /**
   * Runs `text` with `params` where it is prepared, or is to be; undefined: run it as it is. Names
   * are never used twice, since two may prepare the same text at the same time.
   */
  run(text: string, params: readonly Param[], execute: Execute): Promise<SqlRow[]> | undefined {
    const name = this.#names.get(text)
    if (name !== undefined) return execute(executeText(name, params))
    if (!this.#isDue(text)) return undefined
    return this.#prepare(text, execute).then((made) => execute(executeText(made, params)))
  }

  #isDue(text: string): boolean {
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses > 1 || this.#uses.size < TEXTS_MAX) this.#uses.set(text, uses)
    return uses >= USES_MIN && this.#next <= PREPARED_MAX && CAN.test(text)
  }

  async #prepare(text: string, execute: Execute): Promise<string> {
    const name = `kept_${this.#next++}`
    await execute(`PREPARE ${name} AS ${text}`)
    this.#names.set(text, name)
    return name
  }
}

const executeText = (name: string, params: readonly Param[]) =>
  params.length === 0 ? `EXECUTE ${name}` : `EXECUTE ${name} (${params.map(literal).join(', ')})`

const literal = (param: Param) => (param === null ? 'NULL' : standardLiteral(String(param)))
