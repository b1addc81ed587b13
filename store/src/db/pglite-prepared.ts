// Prepares repeated statements of the embedded database: planning costs more than running them, and
// a prepared one takes a single protocol step instead of five.
import { type Param, type SqlRow, standardLiteral } from './db.ts'

/** Runs a text without parameters; returns the rows of its last statement. */
type Execute = (text: string) => Promise<SqlRow[]>

/** Uses below which a text is not prepared, since it may never be repeated. */
const USES_MIN = 3
/** Maximum number of counted texts; the package has fewer. */
const TEXTS_MAX = 500
const PREPARED_MAX = 200
/** Statements that can be prepared. */
const CAN = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)\b/i

export class PreparedTexts {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #next = 1

  /**
   * Runs `text` with `params` if it is prepared or due for it; undefined: run it unprepared. Names
   * are never reused, since two callers may prepare the same text at once.
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
