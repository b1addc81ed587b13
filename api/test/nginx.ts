// Debian's nginx with the configuration of ops/nginx in front of a node: for tests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@openvenue/core/test/until'

const SOURCE = join(import.meta.dirname, '../../ops/nginx')
const SCRIPT = 'cache-age.js'
const READY_MS_MAX = 10_000

export type ProxyAnswer = Readonly<{ status: number; headers: IncomingHttpHeaders; body: string }>

export type Nginx = Readonly<{
  fetch: (path: string, headers?: OutgoingHttpHeaders, method?: string) => Promise<ProxyAnswer>
  close: () => Promise<void>
}>

/** Starts `program` in front of the node at `port`. It listens at a socket file, not at a port. */
export async function startNginx(program: string, port: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'openvenue-nginx-'))
  const socketPath = join(folder, 'socket')
  // nginx looks for imported scripts beside its main configuration.
  copyFileSync(join(SOURCE, SCRIPT), join(folder, SCRIPT))
  writeFileSync(join(folder, 'cache.conf'), adapted(folder, socketPath, port))
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder))
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const fetch: Nginx['fetch'] = (path, headers = {}, method = 'GET') =>
    send({ socketPath, path, headers, method })
  await until('nginx answers', () => answers(child, fetch), READY_MS_MAX)
  return {
    fetch,
    close: async () => {
      const exited = once(child, 'exit')
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answers(child: ChildProcess, fetch: Nginx['fetch']): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
  return fetch('/health').then(
    () => true,
    () => false,
  )
}

/** Returns the published configuration with the addresses and the folder of the test. */
function adapted(folder: string, socketPath: string, port: number): string {
  let text = readFileSync(join(SOURCE, 'cache.conf'), 'utf8')
  for (const [from, to] of [
    ['listen 80;', `listen unix:${socketPath};`],
    ['127.0.0.1:3000', `127.0.0.1:${port}`],
    ['/var/cache/openvenue', join(folder, 'cache')],
  ] as const) {
    if (text.split(from).length !== 2) throw new Error(`cache.conf must have ${from} once`)
    text = text.replace(from, to)
  }
  return text
}

/** Root would otherwise leave the folder to a user that cannot read it. */
const mainConfig = (folder: string): string => `
${process.getuid?.() === 0 ? 'user root;' : ''}
load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
daemon off;
worker_processes 1;
pid ${folder}/pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n  ')}
  include cache.conf;
}
`

type ProxyRequest = Readonly<{
  socketPath: string
  path: string
  headers: OutgoingHttpHeaders
  method: string
}>

const send = (options: ProxyRequest): Promise<ProxyAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: 'venue.example', ...options }, async (response) => {
      const { statusCode: status = 0, headers } = response
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk as Buffer)
      resolve({ status, headers, body: Buffer.concat(chunks).toString('latin1') })
    })
    sent.on('error', reject).end()
  })
