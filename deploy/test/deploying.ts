// Runs the commands in this process or, to be killed, in their own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Hex } from 'viem'
import type { DeploymentRecord } from '../src/apply/deployment-record.ts'
import type { JournalEntry } from '../src/apply/journal.ts'
import { runCommand } from '../src/command.ts'
import type { ArcChain } from './arc-chain.ts'

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts')
const KILL_AT_WRITE = join(import.meta.dirname, 'kill-at-write.ts')

export type DeploymentPaths = Readonly<{
  chain: ArcChain
  folder: string
  config: string
  key?: Hex
}>
type CommandResult = Readonly<{ code: number | string; out: string; err: string }>

/** Starts a command; `ended` resolves to its exit and output. */
export function start(
  paths: DeploymentPaths,
  command: string,
  args: readonly string[] = [],
  also: Readonly<Record<string, string>> = {},
): Readonly<{ child: ChildProcess; ended: Promise<CommandResult> }> {
  const cache = { NODE_COMPILE_CACHE: join(tmpdir(), 'openvenue-compile-cache') }
  const env = { ...cache, ...process.env, ...keysOf(paths), ...also }
  const child = spawn(process.execPath, [MAIN, command, ...whereOf(paths), ...args], { env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += String(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += String(chunk)
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    ...output,
  }))
  return { child, ended }
}

const keysOf = ({ key }: DeploymentPaths) =>
  key === undefined ? {} : { DEPLOYER_KEY: key, ADMIN_KEY: key }

const whereOf = ({ chain, folder, config }: DeploymentPaths) =>
  ['--network', 'testnet', '--rpc', chain.url, '--dir', folder, '--config', config] as const

/** Runs a command in this process: another one would spend a second on imports. */
export async function run(
  paths: DeploymentPaths,
  command: string,
  args: readonly string[] = [],
  also: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const output = { out: '', err: '' }
  const code = await runCommand([command, ...whereOf(paths), ...args], {
    env: { ...process.env, ...keysOf(paths), ...also },
    print: (text) => {
      output.out += `${text}\n`
    },
    printError: (text) => {
      output.err += `${text}\n`
    },
    confirm: async () => false,
  })
  return { code, ...output }
}

type Moment = 'before' | 'after'

/** Deploys, and kills the process at its `writes`-th write of a file. */
export const killAtWrite = (
  paths: DeploymentPaths,
  writes: number,
  moment: Moment,
): Promise<CommandResult> => {
  const preload = `--import=${pathToFileURL(KILL_AT_WRITE)}`
  const also = { NODE_OPTIONS: preload, KILL_AT_WRITE: `${writes} ${moment}` }
  return start(paths, 'deploy', ['--yes'], also).ended
}

/** Deploys, and kills the process `before` or after it sends for the `sends`-th time. */
export async function killAtSend(
  paths: DeploymentPaths,
  sends: number,
  moment: Moment,
): Promise<CommandResult> {
  const { child, ended } = start(paths, 'deploy', ['--yes'])
  const state = { left: sends }
  paths.chain.intercept(async (_, forward) => {
    state.left -= 1
    if (state.left > 0) return forward()
    if (moment === 'after') await forward()
    child.kill('SIGKILL')
    throw new Error('unreachable')
  })
  try {
    return await ended
  } finally {
    paths.chain.intercept(undefined)
  }
}

const readFile = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(folder, name), 'utf8'))

export const readEntries = (folder: string): readonly JournalEntry[] =>
  (readFile(folder, 'journal.json') as { entries: readonly JournalEntry[] }).entries

export const readRecord = (folder: string): DeploymentRecord =>
  readFile(folder, 'deployment.json') as DeploymentRecord
