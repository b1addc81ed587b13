// Runs a part of the bench with a PostgreSQL of its own.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const swapPath = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/**
 * Runs `file` with PostgreSQL in DATABASE_URL and returns the JSON of its last output line. Uses
 * the server of DATABASE_URL if it is already set.
 */
export async function besideServices<T>(file: string, args: readonly string[] = []): Promise<T> {
  const run = [swapPath(file), ...args]
  const command =
    process.env.DATABASE_URL === undefined
      ? [swapPath('../scripts/services.ts'), process.execPath, ...run]
      : run
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const line = text.trimEnd().split('\n').at(-1)
  if (code !== 0 || line === undefined) throw new Error(`${file} ended with ${code}`)
  return JSON.parse(line) as T
}
