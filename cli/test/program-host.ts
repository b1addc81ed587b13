// Runs the program inside a test, records its output and lists its commands.
import type { Command } from 'commander'
import { WebSocket } from 'ws'
import type { Environment, Host } from '../src/host.ts'
import { buildProgram } from '../src/program.ts'

type ProgramOutput = { out: string; err: string }

/** Returns a host for the program, and the record of its output. */
export function hostOf(
  env: Environment,
  given: Partial<Host> & Readonly<{ homeDir: string }>,
): Readonly<{ host: Host; said: ProgramOutput }> {
  const said = { out: '', err: '' }
  const sink = (name: keyof ProgramOutput) => ({
    write: (text: string) => {
      said[name] += text
    },
    isTerminal: false,
    columns: 80,
    rows: 24,
  })
  const host: Host = {
    env,
    out: sink('out'),
    err: sink('err'),
    WebSocket: WebSocket as never,
    signal: new AbortController().signal,
    nodeVersion: '20.0.0',
    ...given,
  }
  return { host, said }
}

/** A command with the words that select it. */
export type CommandPath = Readonly<{ words: readonly string[]; command: Command }>

/** Returns every command that has an action. */
export function places(homeDir: string): readonly CommandPath[] {
  const { commands } = buildProgram(hostOf({}, { homeDir }).host)
  return commands
    .flatMap((command) => [
      { words: [command.name()], command },
      ...command.commands.map((below) => ({
        words: [command.name(), below.name()],
        command: below,
      })),
    ])
    .filter(({ command }) => command.commands.length === 0)
}
