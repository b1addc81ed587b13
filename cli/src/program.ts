// Builds the program from its commands, runs one, and returns its exit code.
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

/** Of every command, before or after its name. */
const GLOBAL_OPTIONS = [
  option('--network <name>', 'the network: devnet by default'),
  option('--url <address>', 'of the API'),
  option('--rpc <address>', 'of a node of the chain, where one is needed'),
  option('--json', "the venue's answer as it is"),
  option('--csv', 'comma-separated values, with all their digits'),
  option('--no-color', 'no colour, also on a terminal'),
]
const DRY_RUN = option('--dry-run', 'show what would be signed and sent, and send nothing')

const ENVIRONMENT = `
Environment:
  OPENVENUE_NETWORK, OPENVENUE_URL, OPENVENUE_RPC_URL    as the options
  OPENVENUE_ACCOUNT                                      the account, where it is not the wallet
  OPENVENUE_API_KEY, OPENVENUE_API_SECRET                for what is of the account
  OPENVENUE_SIGNING_KEY                                  signs orders
  OPENVENUE_WALLET_KEY                                   moves money, makes keys
  NO_COLOR                                               no colour
What is not set there is read from ~/.config/openvenue/<network>.json, of mode 600.

Exit codes: 0 done, 1 refused, 2 usage, 3 no connection, 4 key, 5 not now, 6 does not agree,
70 a fault of this program, 130 interrupted.`

/** Carries out what was typed, and returns the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  const program = buildProgram(host)
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return EXIT.ok
  } catch (error) {
    return endOf(error, host, argv)
  }
}

/** Returns the program: its commands, its options and its help. */
export function buildProgram(host: Host): Command {
  const program = new Command('openvenue')
  program.description('openvenue from a terminal: markets, orders, money, keys.').version(VERSION)
  for (const one of GLOBAL_OPTIONS) program.addOption(one)
  for (const spec of COMMANDS) program.addCommand(buildCommand(spec, host))
  program.addCommand(completionCommand(program, host))
  program.addHelpText('after', ENVIRONMENT)
  for (const command of [program, ...descendants(program)]) prepare(command, host)
  return program
}

function buildCommand(spec: CommandSpec, host: Host): Command {
  const command = new Command(spec.name).description(spec.summary)
  for (const one of spec.args ?? []) command.addArgument(one)
  for (const one of spec.options ?? []) command.addOption(one)
  if (spec.changes === true) command.addOption(DRY_RUN)
  for (const one of spec.commands ?? []) command.addCommand(buildCommand(one, host))
  const { examples = [], run: act } = spec
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
  if (act !== undefined)
    command.action(async () => {
      const options = command.optsWithGlobals()
      // One that takes several has them as a list in the last place.
      const args = command.processedArgs.flat()
      refuseEmpty(command, args)
      await act(new Session(host, options as SessionOptions), { args, options })
    })
  return command
}

/** Refuses empty text: it comes from an unset variable of a script and is not an omission. */
function refuseEmpty(command: Command, args: readonly unknown[]): void {
  // Dots alone would be the path of another endpoint.
  const isEmpty = (value: unknown) => typeof value === 'string' && /^\s*\.{0,2}\s*$/.test(value)
  const at = args.findIndex(isEmpty)
  if (at >= 0) {
    const { registeredArguments: known } = command
    throw new UsageError(`${(known[at] ?? known.at(-1))?.name() ?? 'an argument'} is empty`)
  }
  const options = command.optsWithGlobals()
  const all = [command, ...parentsOf(command)].flatMap((one) => one.options)
  const empty = all.find((one) => isEmpty(options[one.attributeName()]))
  if (empty !== undefined) throw new UsageError(`${empty.long} is empty`)
}

const parentsOf = ({ parent }: Command): Command[] =>
  parent === null ? [] : [parent, ...parentsOf(parent)]

function completionCommand(program: Command, host: Host): Command {
  return new Command('completion')
    .description('print what makes a shell complete these commands')
    .addArgument(argument('<shell>', 'which one', SHELLS))
    .addHelpText('after', '\nExamples:\n  source <(openvenue completion bash)')
    .action((shell: Shell) => host.out.write(completionScript(program, shell)))
}

const descendants = (command: Command): Command[] =>
  command.commands.flatMap((one) => [one, ...descendants(one)])

const HINT = '(--help says how)'

/** Nothing but {@link run} ends the process or writes to its streams. */
function prepare(command: Command, { out, err }: Host): void {
  command
    .exitOverride()
    .allowExcessArguments(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      // One line, as every other error.
      outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')} ${HINT}\n`),
      getOutHelpWidth: () => out.columns,
      getErrHelpWidth: () => err.columns,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
}

/** Says what went wrong, and returns the exit code. */
function endOf(error: unknown, host: Host, argv: readonly string[]): number {
  if (host.signal.aborted) return EXIT.interrupted
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  const code = exitCodeOf(error)
  const text = errorText(error)
  if (text !== undefined) {
    const hasColour = mayColour(host.err, host.env) && !argv.includes('--no-color')
    host.err.write(`${hasColour ? paint(text, 'red') : text}\n`)
  }
  return code
}
