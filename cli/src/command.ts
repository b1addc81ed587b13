// Specification of a command: its arguments, options and action. The program, its help and the
// shell completion are built from it.
import { Argument, Option } from 'commander'
import { UsageError } from './exit-codes.ts'
import type { Session } from './session.ts'

/** Parsed command line: arguments by position, options by name. */
export type CommandInput = Readonly<{
  args: readonly (string | undefined)[]
  options: Readonly<Record<string, unknown>>
}>

export type CommandSpec = Readonly<{
  name: string
  /** One line in the imperative. */
  summary: string
  args?: readonly Argument[]
  options?: readonly Option[]
  /** Lines for the end of the help. */
  examples?: readonly string[]
  /** True for a command that changes something and therefore has `--dry-run`. */
  changes?: boolean
  run?: (session: Session, typed: CommandInput) => Promise<void>
  /** Subcommands, such as `keys new`. */
  commands?: readonly CommandSpec[]
}>

/** Defines an argument: `<market>` is required, `[market]` is optional. */
export const argument = (
  name: string,
  description: string,
  choices?: readonly string[],
): Argument =>
  choices === undefined
    ? new Argument(name, description)
    : new Argument(name, description).choices(choices)

/** Defines an option. `parse` throws a UsageError for invalid text. */
export function option(
  flags: string,
  description: string,
  more: Readonly<{ choices?: readonly string[]; parse?: (text: string) => unknown }> = {},
): Option {
  const made = new Option(flags, description)
  if (more.choices !== undefined) made.choices(more.choices)
  if (more.parse !== undefined) made.argParser(naming(flags, more.parse))
  return made
}

export const MARKET = argument('<market>', 'market name, such as ETH-PERP')

/** Returns a required argument. */
export const given = ({ args }: CommandInput, at: number): string => args[at] ?? ''

/** Prefixes the errors of `parse` with the name of the option or argument. */
export const naming =
  <T>(flags: string, parse: (text: string) => T) =>
  (text: string): T => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new UsageError(`${flags.split(' ', 1)[0]}: ${error.message}`)
    }
  }
