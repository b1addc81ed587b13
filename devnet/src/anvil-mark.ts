// File that names the anvil of a data directory. It is written before the process starts, so that
// the next start finds the process whenever its parent was killed.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigInvalid } from '@openvenue/runtime/environment'
import { findProcess } from './find-process.ts'
import { isAlive, isRunning, readProcessStart } from './process-start.ts'
import { readInstance } from './rpc.ts'

export type AnvilMark = Readonly<{
  /** Random argument of the process, which identifies it. */
  token: string
  port: number
  /** The devnet that started it, and the start time of that process. */
  owner: number
  ownerStart: string | undefined
  /** Absent until the process is started. */
  pid?: number
  /** Random number by which anvil identifies itself; absent until it answers. */
  instance?: string
}>

/** Address and identity of an anvil, so that no other one's state is saved. */
export type AnvilAddress = Readonly<{ url: string; instance: string }>

const ENDED_WITHIN_MS = 5_000
const POLL_MS = 15

/** Returns the path of the mark in a data directory. */
export const anvilPidPath = (dataDir: string) => join(dataDir, 'anvil.pid')

export const anvilUrl = (port: number) => `http://127.0.0.1:${port}`

/**
 * Returns the path of the socket where the anvil with this token first answers, besides its port.
 * Another program may answer at a taken port, but only this process answers here.
 */
export const anvilIpcPath = (token: string) =>
  process.platform === 'win32'
    ? `\\\\.\\pipe\\openvenue-${token}`
    : join(tmpdir(), `openvenue-${token}.ipc`)

/** Replaces the file atomically: after a kill there is the old one or the new one. */
export function writeMark(pidPath: string, mark: AnvilMark): void {
  writeFileSync(`${pidPath}.next`, JSON.stringify(mark))
  renameSync(`${pidPath}.next`, pidPath)
}

export function removeMark(pidPath: string, { token }: AnvilMark): void {
  rmSync(anvilIpcPath(token), { force: true })
  rmSync(pidPath, { force: true })
}

/** Returns the mark in the file; undefined when there is none. */
export function readMark(pidPath: string): AnvilMark | undefined {
  try {
    const mark = JSON.parse(readFileSync(pidPath, 'utf8')) as AnvilMark
    return typeof mark?.token === 'string' ? mark : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return
    throw error
  }
}

/**
 * Ends the anvil of `pidPath` if it still runs although its devnet was killed. `rescue` first
 * receives its address, if it ever answered. Throws when that devnet is alive, or when the process
 * cannot be ended.
 */
export async function endOrphan(
  pidPath: string,
  rescue: (orphan: AnvilAddress) => Promise<void>,
): Promise<void> {
  const mark = readMark(pidPath)
  if (mark === undefined) return
  const { token, port, owner, ownerStart, instance } = mark
  if (owner !== process.pid && isAlive(owner) && readProcessStart(owner) === ownerStart)
    throw new Error(`${pidPath}: a devnet runs here already, in process ${owner}`)
  const pid = findProcess(token)
  if (pid !== undefined) {
    const url = anvilUrl(port)
    if (instance !== undefined && (await readInstance(url)) === instance)
      await rescue({ url, instance })
    await endProcess(pid, port)
  }
  removeMark(pidPath, mark)
}

async function endProcess(pid: number, port: number): Promise<void> {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  const deadlineMs = Date.now() + ENDED_WITHIN_MS
  while (isRunning(pid)) {
    if (Date.now() > deadlineMs)
      throw new ConfigInvalid(
        `the chain of a venue that was killed still runs, in process ${pid} at port ${port}, and cannot be ended: end it, then start again`,
      )
    await sleep(POLL_MS)
  }
}
