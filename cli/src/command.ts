// Says what a command is: its words, its options and what it does. The program, its help and the
// completion of shells are all made of these.
import { Argument, Option } from 'commander'
import { UsageError } from './exit-codes.ts'
import type { Session } from './session.ts'

/** What was typed behind the command: arguments by their place, options by their names. */
export type Typed = Readonly<{
  args: readonly (string | undefined)[]
  options: Readonly<Record<string, unknown>>
}>

export type CommandSpec = Readonly<{
  name: string
  /** One line, in the imperative. */
  summary: string
  args?: readonly Argument[]
  options?: readonly Option[]
  /** Lines for the end of its help. */
  examples?: readonly string[]
  /** It changes something: it has `--dry-run`. */
  changes?: boolean
  run?: (session: Session, typed: Typed) => Promise<void>
  /** Commands below it, such as `keys new`. */
  commands?: readonly CommandSpec[]
}>

/** An argument: `<market>` is needed, `[market]` is not. */
export const argument = (
  name: string,
  description: string,
  choices?: readonly string[],
): Argument =>
  choices === undefined
    ? new Argument(name, description)
    : new Argument(name, description).choices(choices)

/** An option; it is checked by `parse`, which throws where the text will not do. */
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

export const MARKET = argument('<market>', 'its name, such as ETH-PERP')

/** Returns an argument that is always there. */
export const given = ({ args }: Typed, at: number): string => args[at] ?? ''

/** What is wrong with a value is said with the name of its option. */
const naming =
  (flags: string, parse: (text: string) => unknown) =>
  (text: string): unknown => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      throw new UsageError(`${flags.split(' ', 1)[0]}: ${error.message}`)
    }
  }
