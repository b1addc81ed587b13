// Mounts a disk of a few MB that can be filled. Requires root.
import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1024 * 1024
const FILLER = 'filler'

/** Mounts a disk of `mb` MB at `folder`; returns the function to unmount it. Requires root. */
export function mountSmall(folder: string, mb: number): () => void {
  mount('mount', ['-t', 'tmpfs', '-o', `size=${mb}m,mode=755`, 'openvenue-drills', folder])
  return () => mount('umount', ['-l', folder])
}

function mount(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args)
  if (status !== 0)
    throw new Error(`cannot mount a small disk (requires root): ${command}: ${stderr}`)
}

/** Fills the disk of `folder` completely. */
export function fillDisk(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  for (let left = bavail * bsize; left > 0; left -= MB)
    try {
      writeFileSync(join(folder, FILLER), Buffer.alloc(Math.min(MB, left)), { flag: 'a' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
}

export const freeDisk = (folder: string) => rmSync(join(folder, FILLER), { force: true })
