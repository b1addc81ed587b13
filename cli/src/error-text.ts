// Formats errors, with the nearest legal values if the venue returned them.
import { ConnectionError, RefusedError, type shapes } from 'openvenue'
import { printable } from './columns.ts'
import { Ending, EXIT, exitCodeOf } from './exit-codes.ts'

const MS_PER_SECOND = 1000
const HELD_AGAINST = ['minimum', 'maximum', 'required', 'shortfall', 'free', 'needed'] as const

/** Returns the lines to print; undefined if everything has been printed. */
export function errorText(error: unknown): string | undefined {
  if (error instanceof Ending) return undefined
  if (!(error instanceof Error)) return String(error)
  // An internal error: a bug report needs the stack.
  if (exitCodeOf(error) === EXIT.internal) return error.stack ?? error.message
  const lines = [printable(error.message)]
  if (error instanceof ConnectionError)
    lines.push(
      '  is the server running? --url and --rpc set other addresses; try `openvenue doctor`',
    )
  if (error instanceof RefusedError) lines.push(...refusalLines(error))
  return lines.join('\n')
}

function refusalLines({ details, retryAfterMs, requestId }: RefusedError): string[] {
  const lines = details.map((problem) => `  ${printable(problemText(problem))}`)
  if (retryAfterMs !== undefined)
    lines.push(`  retry in ${(retryAfterMs / MS_PER_SECOND).toFixed(1)} s`)
  if (requestId !== undefined) lines.push(`  request ${printable(requestId)}`)
  return lines
}

/** Formats an invalid member with the nearest legal value, which some messages name already. */
export function problemText({ field, message, nearest, allowed, facts = {} }: shapes.FieldProblem) {
  const amounts = HELD_AGAINST.flatMap((name) => (facts[name] ? [`${name} ${facts[name]}`] : []))
  const near = `the nearest is ${nearest}`
  return [
    `${field}: ${message}`,
    ...(nearest === undefined || message.endsWith(near) ? [] : [near]),
    ...(allowed === undefined ? [] : [`one of: ${allowed.join(', ')}`]),
    ...amounts,
  ].join('; ')
}
