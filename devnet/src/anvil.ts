// Runs the local chain's process: finds its file, starts it, and distinguishes it from others.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createConnection, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS } from '@openvenue/core/networks'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { type AnvilMark, anvilIpcPath, anvilUrl, removeMark, writeMark } from './anvil-mark.ts'
import { TRANSACTION_BLOCKS_KEPT } from './compact-state.ts'
import { portTaken, requireFree } from './port-checks.ts'
import { readProcessStart } from './process-start.ts'
import { instanceIn, readInstance } from './rpc.ts'

/** Also the id of Circle's Arc test network, for which the interface's typed data is signed. */
export const DEVNET_CHAIN_ID = NETWORKS.devnet.chainId
export const MNEMONIC = 'test test test test test test test test test test test junk'
/** Accounts 0 to 16 are used: see `roles.ts`. */
const ACCOUNTS = 20
const BALANCE_ETHER = 1_000_000

/** Measured in docs/decisions/0007-devnet-chain.md, as is the limit below. */
const HARDFORK = 'cancun'
/** Number of blocks with readable state. Each holds a copy of all storage. */
const STATES_KEPT = 8

/** Includes loading the state after a long time of trading. */
const STARTED_WITHIN_MS = 30_000
const IPC_MS_MAX = 2_000
const POLL_MS = 15

export type AnvilOptions = Readonly<{
  /** 0 picks a free one. */
  port: number
  /** Unix seconds of block 0. */
  genesisSeconds: number
  /** File that names the process while it runs: see `anvil-mark.ts`. */
  pidPath: string
  /** Additional arguments. */
  more?: readonly string[]
}>

/** A running anvil. It does not mine on its own. */
export type Anvil = Readonly<{
  url: string
  port: number
  pid: number
  /** Its identity: a different one at `url` belongs to another process. */
  instance: string
  /** Resolves when the process has ended, for any reason. */
  ended: Promise<void>
  /** Ends the process at once; its state must be saved before. */
  kill(): Promise<void>
}>

/** Attempts when another process takes the port that was just free. */
const ANY_PORT_TRIES = 5

/**
 * Starts anvil and returns when it answers. Throws `ConfigInvalid` when its port is taken, and with
 * its last words when it does not start.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  if (options.port !== 0) return startAt(options.port, options)
  for (let tries = 1; ; tries++) {
    try {
      return await startAt(await freePort(), options)
    } catch (error) {
      if (!(error instanceof ConfigInvalid) || tries === ANY_PORT_TRIES) throw error
    }
  }
}

async function startAt(port: number, options: AnvilOptions): Promise<Anvil> {
  const { pidPath, genesisSeconds, more = [] } = options
  await requireFree('ANVIL_PORT', '127.0.0.1', port)
  const token = randomBytes(8).toString('hex')
  const ipcPath = anvilIpcPath(token)
  const ownerStart = readProcessStart(process.pid)
  const mark: AnvilMark = { token, port, owner: process.pid, ownerStart }
  writeMark(pidPath, mark)
  const child = spawn(anvilPath(), [...anvilArguments(port, genesisSeconds, ipcPath), ...more], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C in a terminal reaches the whole group, but the state must be saved before anvil ends.
    detached: true,
  })
  const words = keepLastWords(child)
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    removeMark(pidPath, mark)
  }
  const { pid } = child
  if (pid !== undefined) writeMark(pidPath, { ...mark, pid })
  const url = anvilUrl(port)
  const instance = await instanceUntilEnded({ url, ipcPath, ended })
  if (instance === undefined || pid === undefined) {
    await kill()
    if (TAKEN.test(words())) throw portTaken('ANVIL_PORT', port)
    throw new Error(`anvil does not start on port ${port}: ${words() || 'it does not answer'}`)
  }
  // The socket is no longer needed, and must not accept other clients.
  rmSync(ipcPath, { force: true })
  writeMark(pidPath, { ...mark, pid, instance })
  return { url, port, pid, instance, ended, kill }
}

/** Anvil's error when another program listens on its port. */
const TAKEN = /address already in use/i

const anvilArguments = (port: number, genesisSeconds: number, ipcPath: string) => [
  '--host',
  '127.0.0.1',
  '--port',
  String(port),
  '--ipc',
  ipcPath,
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

type AnvilStart = Readonly<{ url: string; ipcPath: string; ended: Promise<void> }>

/**
 * Returns the identity of the process once it answers at `url`; undefined when it has ended or
 * times out, or when only another process answers there.
 */
async function instanceUntilEnded(starting: AnvilStart): Promise<string | undefined> {
  const { url, ipcPath, ended } = starting
  const state = { isOver: false }
  void ended.then(() => {
    state.isOver = true
  })
  const deadline = Date.now() + STARTED_WITHIN_MS
  while (!state.isOver && Date.now() < deadline) {
    const instance = await readInstanceByIpc(ipcPath)
    if (instance !== undefined && (await readInstance(url)) === instance) return instance
    await sleep(POLL_MS)
  }
  return undefined
}

/** Returns the identity of the anvil behind `ipcPath`; undefined while it does not answer. */
function readInstanceByIpc(ipcPath: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(ipcPath)
    const done = (instance?: string) => {
      socket.destroy()
      resolve(instance)
    }
    socket.setTimeout(IPC_MS_MAX, () => done())
    socket.once('error', () => done())
    socket.once('close', () => done())
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += String(chunk)
      const answer = parseWhole(text)
      if (answer !== undefined) done(instanceIn(answer.result))
    })
    socket.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_metadata', params: [] }))
  })
}

/** Returns the answer; undefined while it is incomplete. */
function parseWhole(text: string): Readonly<{ result?: unknown }> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a port that was free when it was checked. */
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
