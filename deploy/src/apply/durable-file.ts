// Writes files so that a crash leaves either the old or the new content, never a mix.
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
  // The rename is durable only once the folder is synced.
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Returns the content of the JSON file at `path`; undefined when there is none. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Thrown when another process uses this folder. */
export class FolderTaken extends Error {
  override name = 'FolderTaken'
}

const CLAIM = /^claim-(\d+)\.pid$/

/**
 * Claims a folder for this process and returns the function that releases it. Each process first
 * writes its own file and then looks for others: of two that start together, at least one sees the
 * other. A claim of a killed process does not count.
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
      throw new FolderTaken(`${folder} is in use by process ${holder}`)
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
    // It runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
