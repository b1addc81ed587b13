// Runs the process of the local chain: which file it is, how it is started, and how it is found
// again after whoever started it was killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS } from '@openvenue/core/networks'
import { rpcAt } from './rpc.ts'

/** Circle's Arc test network uses this number too: the interface's typed data is signed for it. */
export const DEVNET_CHAIN_ID = NETWORKS.devnet.chainId
export const MNEMONIC = 'test test test test test test test test test test test junk'
/** Accounts 0 to 16 are used: see `roles.ts`. */
const ACCOUNTS = 20
const BALANCE_ETHER = 1_000_000

/** Measured in docs/decisions/0007-devnet-chain.md, as are both limits below. */
const HARDFORK = 'cancun'
/** Blocks whose state can still be asked for. Each holds a copy of all storage. */
const STATES_KEPT = 8
/** Blocks that keep their transactions and logs, an hour of them. Headers are kept for ever. */
export const TRANSACTION_BLOCKS_KEPT = 5_000

/** With the state of a long time of trading it has to read first. */
const STARTED_WITHIN_MS = 30_000
const ENDED_WITHIN_MS = 5_000
const POLL_MS = 15

export type AnvilOptions = Readonly<{
  /** 0 takes a free one. */
  port: number
  /** Unix seconds of block 0. */
  genesisSeconds: number
  /** File that names the process while it lives. */
  pidPath: string
  /** Further arguments of its own. */
  more?: readonly string[]
}>

/** A running anvil. It mines nothing by itself. */
export type Anvil = Readonly<{
  url: string
  port: number
  pid: number
  /** Fulfilled when the process has ended, for whatever reason. */
  ended: Promise<void>
  /** Ends the process at once; its state must have been saved before. */
  kill(): Promise<void>
}>

/** Starts anvil and returns when it answers. Throws with its last words when it does not. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = options.port === 0 ? await freePort() : options.port
  const child = spawn(
    anvilPath(),
    [...anvilArguments(port, options.genesisSeconds), ...(options.more ?? [])],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Ctrl-C in a terminal reaches the whole group: the state must be saved before anvil goes.
      detached: true,
    },
  )
  const words = keepLastWords(child)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const url = `http://127.0.0.1:${port}`
  const isUp = await answersUntilEnded(url, ended)
  if (!isUp || child.pid === undefined) {
    child.kill('SIGKILL')
    throw new Error(`anvil does not start on port ${port}: ${words() || 'it does not answer'}`)
  }
  const mark: Mark = { pid: child.pid, port, owner: process.pid }
  writeFileSync(options.pidPath, JSON.stringify(mark))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(options.pidPath, { force: true })
  }
  return { url, port, pid: child.pid, ended, kill }
}

const anvilArguments = (port: number, genesisSeconds: number) => [
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
  '--chain-id',
  String(DEVNET_CHAIN_ID),
  '--mnemonic',
  MNEMONIC,
  '--accounts',
  String(ACCOUNTS),
  '--balance',
  String(BALANCE_ETHER),
  '--no-mining',
  '--order',
  'fifo',
  '--gas-limit',
  '300000000',
  '--hardfork',
  HARDFORK,
  '--prune-history',
  String(STATES_KEPT),
  '--transaction-block-keeper',
  String(TRANSACTION_BLOCKS_KEPT),
  '--timestamp',
  String(genesisSeconds),
  '--no-request-size-limit',
  '--silent',
  '--slots-in-an-epoch',
  '1',
]

/** The package's own launcher is a Node process around this file, which outlives it when killed. */
function anvilPath(): string {
  const machine = process.arch === 'x64' ? 'amd64' : process.arch
  const system = process.platform === 'win32' ? 'win32' : process.platform
  const name = `@foundry-rs/anvil-${system}-${machine}`
  const suffix = process.platform === 'win32' ? '.exe' : ''
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil${suffix}`)
  } catch (cause) {
    throw new Error(`anvil is not installed for this machine (${name}): run npm ci`, { cause })
  }
}

const WORDS_MAX = 4_000

function keepLastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + String(chunk)).slice(-WORDS_MAX)
  })
  child.once('error', (error) => {
    words += error.message
  })
  return () => words.trim()
}

async function answersUntilEnded(url: string, ended: Promise<void>): Promise<boolean> {
  const state = { isOver: false }
  void ended.then(() => {
    state.isOver = true
  })
  const deadline = Date.now() + STARTED_WITHIN_MS
  while (!state.isOver && Date.now() < deadline) {
    if (await answers(url)) return !state.isOver
    await sleep(POLL_MS)
  }
  return false
}

/** Whether a chain with our number answers at `url`. */
const answers = async (url: string) =>
  rpcAt(url)
    .call('eth_chainId')
    .then((id) => Number(id) === DEVNET_CHAIN_ID)
    .catch(() => false)

/** Returns a port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

/**
 * Ends the anvil that `pidPath` names, if it still lives: the devnet that started it was killed.
 * `rescue` is given its URL before. Throws when that devnet lives, too.
 */
export async function endOrphan(
  pidPath: string,
  rescue: (url: string) => Promise<void>,
): Promise<void> {
  const mark = markIn(pidPath)
  if (mark === undefined) return
  const url = `http://127.0.0.1:${mark.port}`
  // Numbers of processes are used again: only one that speaks as our chain is ours.
  if (isAlive(mark.pid) && (await answers(url))) {
    if (mark.owner !== process.pid && isAlive(mark.owner))
      throw new Error(`${pidPath}: a devnet runs here already, in process ${mark.owner}`)
    await rescue(url)
    process.kill(mark.pid, 'SIGKILL')
    const deadline = Date.now() + ENDED_WITHIN_MS
    while (isAlive(mark.pid) && Date.now() < deadline) await sleep(POLL_MS)
  }
  rmSync(pidPath, { force: true })
}

/** The content of the pid file: the process of anvil, its port, and the devnet that started it. */
type Mark = Readonly<{ pid: number; port: number; owner: number }>

function markIn(pidPath: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(pidPath, 'utf8')) as Mark
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Where the pid file of a data directory is. */
export const anvilPidPath = (dataDir: string) => join(dataDir, 'anvil.pid')
