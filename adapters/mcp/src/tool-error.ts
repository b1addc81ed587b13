// Errors of this program itself.

/** A refusal that a model reads: a code, the violated rule and the facts. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(`${code}: ${message}`)
    this.facts = { error: code, message, ...facts }
  }
}

/** Reason why the program does not start, for its user. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
