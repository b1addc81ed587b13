// Writes files so that a crash leaves the old or the new content, never half of one.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

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

/**
 * Claims a folder for this process and returns what gives it back. A claim of a process that was
 * killed counts no more.
 */
export function claimFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const path = `${folder}/claim.pid`
  const holder = Number(readJson(path) ?? 0)
  if (holder !== process.pid && isAlive(holder))
    throw new FolderTaken(`${folder}: process ${holder} works here already`)
  rmSync(path, { force: true })
  const file = openSync(path, 'wx')
  writeSync(file, String(process.pid))
  closeSync(file)
  return () => rmSync(path, { force: true })
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
