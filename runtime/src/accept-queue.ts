// How many connections the kernel completes for a port before the process accepts them. A storm of
// reconnecting clients is larger than node's default of 511, and what does not fit is sent again
// after one, two and four seconds.
import { readFile } from 'node:fs/promises'

/** Connections that wait for a process; the kernel's own limit may be lower. */
export const ACCEPT_QUEUE = 4_096

/** Linux's limit for every port. */
const KERNEL_LIMIT_FILE = '/proc/sys/net/core/somaxconn'

/** Returns the kernel's limit; undefined where it cannot be read, as outside of Linux. */
export async function readKernelLimit(file = KERNEL_LIMIT_FILE): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const limit = Number.parseInt(text, 10)
  return Number.isSafeInteger(limit) ? limit : undefined
}
