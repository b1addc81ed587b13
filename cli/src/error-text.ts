// Says what went wrong, with what would do where the venue knows it.
import { ConnectionError, RefusedError, type shapes } from 'openvenue'
import { printable } from './columns.ts'
import { Ending, EXIT, exitCodeOf } from './exit-codes.ts'

const MS_PER_SECOND = 1000
const HELD_AGAINST = ['minimum', 'maximum', 'required', 'shortfall', 'free', 'needed'] as const

/** Returns the lines for people; undefined where everything has been said. */
export function errorText(error: unknown): string | undefined {
  if (error instanceof Ending) return undefined
  if (!(error instanceof Error)) return String(error)
  // A fault of ours: whoever reports it needs to say where.
  if (exitCodeOf(error) === EXIT.internal) return error.stack ?? error.message
  const lines = [printable(error.message)]
  if (error instanceof ConnectionError)
    lines.push(
      '  is it running there? --url and --rpc name other addresses; `openvenue doctor` looks',
    )
  if (error instanceof RefusedError) lines.push(...refusalLines(error))
  return lines.join('\n')
}

function refusalLines({ details, retryAfterMs, requestId }: RefusedError): string[] {
  const lines = details.map((problem) => `  ${printable(problemText(problem))}`)
  if (retryAfterMs !== undefined)
    lines.push(`  again in ${(retryAfterMs / MS_PER_SECOND).toFixed(1)} s`)
  if (requestId !== undefined) lines.push(`  request ${printable(requestId)}`)
  return lines
}

/** Returns what was wrong with a member, and the nearest values that would do. */
export function problemText({ field, message, nearest, allowed, facts = {} }: shapes.FieldProblem) {
  const known = HELD_AGAINST.flatMap((name) => (facts[name] ? [`${name} ${facts[name]}`] : []))
  return [
    `${field}: ${message}`,
    ...(nearest === undefined ? [] : [`nearest: ${nearest}`]),
    ...(allowed === undefined ? [] : [`one of: ${allowed.join(', ')}`]),
    ...known,
  ].join('; ')
}
