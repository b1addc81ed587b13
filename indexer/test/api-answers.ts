// Answers of an API node next to an indexer, for tests that compare two databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'

const MAIN = join(import.meta.dirname, '../../api/src/node/main.ts')
const READY_MS_MAX = 60_000

type Headers = Readonly<Record<string, string>>
type ReadPaths = Readonly<{ paths: readonly string[]; headers: Headers }>

/** Returns status and body by path, from a node that runs with `env`. */
export async function apiAnswers(
  env: Headers,
  { paths, headers }: ReadPaths,
): Promise<Readonly<Record<string, string>>> {
  const port = await freePort()
  const { PATH = '' } = process.env
  const node = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH, PORT: `${port}`, LOG_LEVEL: 'silent', ...env },
  })
  const ended = once(node, 'exit')
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    return `${answer.status} ${await answer.text()}`
  }
  try {
    const isReady = async () => (await ask('/markets').catch(() => '')).startsWith('200')
    await until('the node answers', isReady, READY_MS_MAX)
    const answers: Record<string, string> = {}
    for (const path of paths) answers[path] = await ask(path)
    return answers
  } finally {
    node.kill('SIGTERM')
    await ended
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
