// Runs a command beside a PostgreSQL and a Redis of its own, which nothing else on the machine sees
// and which end with it: `node scripts/services.ts <command> [arguments]`. The command finds them
// in DATABASE_URL and REDIS_URL, a browser in CHROMIUM, and the programs of nginx, NATS and
// pgBackRest in NGINX_PROGRAM, NATS_PROGRAM and BACKREST_PROGRAM. Without one it runs all tests
// that need them. POSTGRES_SETTINGS has settings of the server, with spaces between them. They are
// packages of Debian, installed where they are absent (as root, or by sudo).
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  aptInstall,
  BACKREST,
  CHROMIUM,
  installBackrest,
  installChromium,
  installNats,
  installNginx,
  isProgram,
  NATS,
  NGINX,
  PGBOUNCER,
} from './debian.ts'

const READY_MS_MAX = 30_000
const READY_POLL_MS = 50

/** Databases of the suite need not survive a power failure; removing one waits for the disk. */
const SUITE_SETTINGS = ['fsync=off']

type Server = Readonly<{ process: ChildProcess; url: string; isReady: () => Promise<boolean> }>

async function main(): Promise<number> {
  const given = process.argv.slice(2)
  const [command = '', ...args] = given.length > 0 ? given : SUITE
  const { postgresBin, programs } = install()
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-services-'))
  const servers: Server[] = []
  try {
    const settings = given.length > 0 ? [] : SUITE_SETTINGS
    servers.push(await startPostgres(postgresBin, folder, settings), await startRedis(folder))
    await Promise.all(servers.map(ready))
    const [databaseUrl, redisUrl] = servers.map(({ url }) => url)
    const browser = isProgram(CHROMIUM) ? { CHROMIUM } : {}
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...browser, ...programs },
      },
    })
    // Ctrl-C reaches the child too: it ends first, then the servers below.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => child.kill(signal))
    }
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    await Promise.all(servers.map(stop))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs every test that needs a server, wherever it lies. */
const SUITE = ['node', 'scripts/test.ts', '--services']

type Installed = Readonly<{ postgresBin: string; programs: NodeJS.ProcessEnv }>

/** Installs what is missing. Returns PostgreSQL's folder, and the programs that are present. */
function install(): Installed {
  if (postgresFolder() === undefined || !isProgram('redis-server') || !existsSync(PGBOUNCER))
    aptInstall('postgresql', 'redis-server', 'pgbouncer')
  installChromium()
  const programs = {
    ...(installNginx() ? { NGINX_PROGRAM: NGINX } : {}),
    ...(installNats() ? { NATS_PROGRAM: NATS } : {}),
    ...(installBackrest() ? { BACKREST_PROGRAM: BACKREST } : {}),
  }
  const postgresBin = postgresFolder()
  if (postgresBin === undefined) throw new Error('no PostgreSQL under /usr/lib/postgresql')
  return { postgresBin, programs }
}

const postgresFolder = () =>
  globSync('/usr/lib/postgresql/*/bin')
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)

function run([command = '', ...args]: readonly string[], options: SpawnOptions = {}): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync(command, args, { stdio: 'inherit', env, ...options })
  if (status !== 0) throw new Error(`${command} ended with ${status}`)
}

async function startPostgres(
  bin: string,
  folder: string,
  settings: readonly string[],
): Promise<Server> {
  const owner = postgresOwner()
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'postgres')
  const options = { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] } as SpawnOptions
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  run([join(bin, 'initdb'), ...init], options)
  const port = await freePort()
  const given = (process.env.POSTGRES_SETTINGS ?? '').split(' ').filter((part) => part !== '')
  const quiet = ['log_min_messages=panic', ...settings, ...given].flatMap((part) => ['-c', part])
  const args = [
    '-D',
    data,
    '-p',
    `${port}`,
    '-k',
    folder,
    '-c',
    'listen_addresses=127.0.0.1',
    ...quiet,
  ]
  const isReady = async () =>
    spawnSync(join(bin, 'pg_isready'), ['-q', '-U', 'postgres', '-h', '127.0.0.1', '-p', `${port}`])
      .status === 0
  return {
    process: spawn(join(bin, 'postgres'), args, options),
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    isReady,
  }
}

/** PostgreSQL refuses to run as root; undefined when we are someone else already. */
function postgresOwner(): Readonly<{ uid: number; gid: number }> | undefined {
  if (process.getuid?.() !== 0) return undefined
  const readId = (kind: string) => Number(spawnSync('id', [kind, 'postgres']).stdout.toString())
  return { uid: readId('-u'), gid: readId('-g') }
}

async function startRedis(folder: string): Promise<Server> {
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  return {
    process: spawn('redis-server', args, { stdio: ['ignore', 'ignore', 'inherit'] }),
    url: `redis://127.0.0.1:${port}`,
    isReady: () => answersPing(port),
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP port')
  return address.port
}

async function answersPing(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    socket.write('PING\r\n')
    const [answer] = await once(socket, 'data')
    return String(answer).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

async function ready({ process: child, url, isReady }: Server): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${url} ended with ${child.exitCode}`)
    if (Date.now() > deadline) throw new Error(`${url} is not ready after ${READY_MS_MAX} ms`)
    await delay(READY_POLL_MS)
  }
}

/** SIGINT asks PostgreSQL for a fast end, and Redis for an ordinary one. */
async function stop({ process: child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  await exited
}

process.exitCode = await main()
