// Builds the program from its commands and runs one.
import { Command, CommanderError } from 'commander'
import { argument, type CommandSpec, option } from './command.ts'
import { account, orders, positions } from './commands/account.ts'
import { book } from './commands/book.ts'
import { cancel, cancelAll } from './commands/cancel.ts'
import { close } from './commands/close.ts'
import { doctor } from './commands/doctor.ts'
import { edit } from './commands/edit.ts'
import { faucet } from './commands/faucet.ts'
import { candles, trades } from './commands/history.ts'
import { info } from './commands/info.ts'
import { keys } from './commands/keys.ts'
import { markets, ticker } from './commands/markets.ts'
import { deposit, withdraw } from './commands/money.ts'
import { place } from './commands/place.ts'
import { watch } from './commands/watch.ts'
import { completionScript, SHELLS, type Shell } from './completion.ts'
import { errorText } from './error-text.ts'
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts'
import type { Host } from './host.ts'
import { mayColour } from './output.ts'
import { Session, type SessionOptions } from './session.ts'
import { paint } from './table.ts'
import { VERSION } from './version.ts'

const COMMANDS: readonly CommandSpec[] = [
  ...[info, markets, ticker, book, trades, candles, watch],
  ...[account, positions, orders, place, edit, cancel, cancelAll, close],
  ...[deposit, withdraw, keys, faucet, doctor],
]

/** Options of every command, before or after its name. */
const GLOBAL_OPTIONS = [
  option('--network <name>', 'network; devnet by default'),
  option('--url <address>', 'API address'),
  option('--rpc <address>', 'chain node address, for commands that need one'),
  option('--json', "print the venue's response unchanged"),
  option('--csv', 'print comma-separated values with all digits'),
  option('--no-color', 'disable colour'),
]
const DRY_RUN = option('--dry-run', 'show what would be signed and sent, and send nothing')

const ENVIRONMENT = `
Environment:
  OPENVENUE_NETWORK, OPENVENUE_URL, OPENVENUE_RPC_URL    same as the options
  OPENVENUE_ACCOUNT                                      account, if it is not the wallet
  OPENVENUE_API_KEY, OPENVENUE_API_SECRET                API key of the account
  OPENVENUE_SIGNING_KEY                                  signs orders
  OPENVENUE_WALLET_KEY                                   moves funds, creates keys
  NO_COLOR                                               no colour
Unset variables are read from ~/.config/openvenue/<network>.json, which has mode 600.

Exit codes: 0 done, 1 refused, 2 usage, 3 no connection, 4 credentials, 5 retry later, 6 mismatch,
70 internal error, 130 interrupted.`

/** Runs a command line and returns the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const program = buildProgram(host)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return EXIT.ok
  } catch (error) {
    return endOf(error, host, argv)
  }
}

/** Returns the program with its commands, options and help. */
export function buildProgram(host: Host): Command {
  const program = new Command('openvenue')
  program.description('Trade at an openvenue venue from a terminal.').version(VERSION)
  for (const option of GLOBAL_OPTIONS) program.addOption(option)
  for (const spec of COMMANDS) program.addCommand(buildCommand(spec, host))
  program.addCommand(completionCommand(program, host))
  program.addHelpText('after', ENVIRONMENT)
  for (const command of [program, ...descendants(program)]) prepare(command, host)
  return program
}

function buildCommand(spec: CommandSpec, host: Host): Command {
  const command = new Command(spec.name).description(spec.summary)
  for (const argument of spec.args ?? []) command.addArgument(argument)
  for (const option of spec.options ?? []) command.addOption(option)
  if (spec.changes === true) command.addOption(DRY_RUN)
  for (const child of spec.commands ?? []) command.addCommand(buildCommand(child, host))
  const { examples = [], run: act } = spec
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
  if (act !== undefined)
    command.action(async () => {
      const options = command.optsWithGlobals()
      // A variadic argument arrives as a list in the last position.
      const args = command.processedArgs.flat()
      refuseEmpty(command, args)
      await act(new Session(host, options as SessionOptions), { args, options })
    })
  return command
}

/** Refuses empty text, which comes from an unset variable in a script rather than an omission. */
function refuseEmpty(command: Command, args: readonly unknown[]): void {
  // Dots only would be the path of another endpoint.
  const isEmpty = (value: unknown) => typeof value === 'string' && /^\s*\.{0,2}\s*$/.test(value)
  const at = args.findIndex(isEmpty)
  if (at >= 0) {
    const { registeredArguments: args } = command
    throw new UsageError(`${(args[at] ?? args.at(-1))?.name() ?? 'an argument'} is empty`)
  }
  const options = command.optsWithGlobals()
  const all = [command, ...parentsOf(command)].flatMap((level) => level.options)
  const empty = all.find((option) => isEmpty(options[option.attributeName()]))
  if (empty !== undefined) throw new UsageError(`${empty.long} is empty`)
}

const parentsOf = ({ parent }: Command): Command[] =>
  parent === null ? [] : [parent, ...parentsOf(parent)]

function completionCommand(program: Command, host: Host): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(argument('<shell>', 'shell', SHELLS))
    .addHelpText('after', '\nExamples:\n  source <(openvenue completion bash)')
    .action((shell: Shell) => host.out.write(completionScript(program, shell)))
}

const descendants = (command: Command): Command[] =>
  command.commands.flatMap((child) => [child, ...descendants(child)])

const HINT = '(see --help)'

/** Leaves ending the process and writing to its streams to {@link run}. */
function prepare(command: Command, { out, err }: Host): void {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      // One line, like every other error.
      outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')} ${HINT}\n`),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

/** Prints an error and returns its exit code. */
function endOf(error: unknown, host: Host, argv: readonly string[]): number {
  if (host.signal.aborted) return EXIT.interrupted
  // Commander has already printed it.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  const code = exitCodeOf(error)
  const text = errorText(error)
  if (text !== undefined) {
    const hasColour = mayColour(host.err, host.env) && !argv.includes('--no-color')
    host.err.write(`${hasColour ? paint(text, 'red') : text}\n`)
  }
  return code
}
