// Runs the devnet as its own process, like `npm start`, so that it can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDeployment, type WholeDeployment } from '@openvenue/devnet/deployment'

export type VenueProcess = Readonly<{
  apiUrl: string
  integratedUrl: string
  indexerUrl: string
  rpcUrl: string
  deployment: WholeDeployment
  process: ChildProcess
  anvilPid: number
  /** Resolves to the exit code or the signal that ended it. */
  ended: Promise<number | string>
}>

const MAIN = fileURLToPath(import.meta.resolve('@openvenue/devnet/main'))
const READY_WITHIN_MS = 60_000

/** Additional environment of a process, and a listener for its log. */
type StartOptions = Readonly<{
  env?: Readonly<Record<string, string>>
  hear?: (text: string) => void
}>

/** Starts the devnet on `dataDir`; resolves when it reports that it is ready. */
export async function startProcess(
  dataDir: string,
  { env = {}, hear }: StartOptions = {},
): Promise<VenueProcess> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', hear === undefined ? 'inherit' : 'pipe'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      INDEXER_PORT: '0',
      INTEGRATED_PORT: '0',
      ANVIL_PORT: '0',
      KEEPER_PORT: '0',
      HISTORY_HOURS: '0',
      RATE_LIMIT_PUBLIC: 'off',
      LOG_LEVEL: 'error',
      ...env,
    },
  })
  if (hear !== undefined)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => hear(String(chunk)))
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const text = await readyText(child, ended)
  const urlAfter = (word: string) =>
    new URL(new RegExp(`${word}\\s+(http\\S+)`).exec(text)?.[1] ?? '').origin
  return {
    apiUrl: urlAfter('API'),
    integratedUrl: urlAfter('Second host'),
    indexerUrl: urlAfter('Indexer'),
    rpcUrl: urlAfter('Chain'),
    deployment: readDeployment(dataDir) as WholeDeployment,
    process: child,
    anvilPid: JSON.parse(readFileSync(join(dataDir, 'anvil.pid'), 'utf8')).pid,
    ended,
  }
}

async function readyText(child: ChildProcess, ended: Promise<number | string>): Promise<string> {
  let text = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += String(chunk)
      if (text.includes('Ctrl-C')) resolve()
    })
  })
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('is not ready in time'), READY_WITHIN_MS).unref()
  })
  const failure = await Promise.race([ready, late, ended.then((code) => `ended with ${code}`)])
  if (failure !== undefined) {
    child.kill('SIGKILL')
    throw new Error(`the devnet ${failure}: ${text}`)
  }
  return text
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
