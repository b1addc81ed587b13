// Declares what this program itself refuses.

/** A refusal that a model reads: a code, the rule that should hold, and the facts. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(`${code}: ${message}`)
    this.facts = { error: code, message, ...facts }
  }
}

/** Why it does not start, for whoever started it. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
