// Writes files so that a crash leaves the old or the new content, never half of one.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

export function writeDurably(path: string, text: string, mode = 0o600): void {
  const next = `${path}.next`
  const file = openSync(next, 'w', mode)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
  // The name is only kept once its folder is.
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Returns what the JSON file at `path` holds; undefined where there is none. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Another process works in this folder. */
export class FolderTaken extends Error {
  override name = 'FolderTaken'
}

const CLAIM = /^claim-(\d+)\.pid$/

/**
 * Claims a folder for this process and returns what gives it back. Each process leaves a file of
 * its own first and looks for those of others then: of two that begin at once, one at least sees
 * the other. A claim of a process that was killed counts no more.
 */
export function claimFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `claim-${process.pid}.pid`)
  closeSync(openSync(path, 'w'))
  const release = () => rmSync(path, { force: true })
  for (const name of readdirSync(folder)) {
    const holder = Number(CLAIM.exec(name)?.[1] ?? process.pid)
    if (holder === process.pid) continue
    if (isAlive(holder)) {
      release()
      throw new FolderTaken(`${folder}: process ${holder} works here already`)
    }
    rmSync(join(folder, name), { force: true })
  }
  return release
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
