// The files with which operators start services: systemd units, compose.yaml, the Dockerfile and
// their settings. No container is started here; everything else is checked.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { SECRETS } from '@openvenue/runtime/secret-files'
// The parser of the API's document generator.
import { parse } from 'yaml'
import { parseConfig as parseApi } from '../api/src/node/config.ts'
import { parseConfig as parseIndexer } from '../indexer/src/config.ts'
import { parseConfig as parseKeeper } from '../keeper/src/config.ts'

const ROOT = join(import.meta.dirname, '..')
const UNITS = globSync('ops/systemd/*.service', { cwd: ROOT })
/**
 * Tenths of systemd's exposure level, which counts as safe below 2. Units that compile code at run
 * time have 1.4.
 */
const EXPOSURE_TENTHS_MAX = 20
/** Read by Node, or by compose and the proxy; no service has them. */
const OTHERS = /^(NODE_\w+|POSTGRES_\w+|DOMAIN|INTEGRATED_DOMAIN|ACME_EMAIL|OPENVENUE_IMAGE)$/

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Returns every variable that a service reads, as it parses an environment. */
function variables(): Set<string> {
  const names = new Set<string>(SECRETS.map((name) => `${name}_FILE`))
  const needed: Record<string, string> = {
    DATABASE_URL: 'postgres://127.0.0.1/venue',
    KEEPER_KEY: `0x${'1'.repeat(64)}`,
    KEEPER_PRICE_URL: 'http://127.0.0.1',
  }
  const env = new Proxy(needed, {
    get: (target, name) => {
      names.add(String(name))
      return target[String(name)]
    },
  })
  for (const parseOne of [parseApi, parseIndexer, parseKeeper]) parseOne(env)
  return names
}

const KNOWN = variables()
const unknown = (names: Iterable<string>) =>
  [...names].filter((name) => !KNOWN.has(name) && !OTHERS.test(name))

type Service = Readonly<{
  image: string
  command?: readonly string[]
  environment?: Readonly<Record<string, string>>
  secrets?: readonly string[]
  networks?: readonly string[]
  healthcheck?: Readonly<{ test: readonly string[] }>
  depends_on?: unknown
  privileged?: boolean
  restart: string
  mem_limit?: string
  read_only?: boolean
  cap_drop?: readonly string[]
  ports?: readonly string[]
}>
type Compose = Readonly<{
  services: Readonly<Record<string, Service>>
  secrets: Readonly<Record<string, { file: string }>>
}>

const compose = parse(read('compose.yaml'), { merge: true }) as Compose
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.includes('openvenue'))

const isSecretFile = (variable: string) =>
  variable !== 'DEPLOYMENT_FILE' && variable.endsWith('_FILE')

describe('compose.yaml', () => {
  test('compose.yaml pins other images to the tag of a release', () => {
    const others = services
      .map(([, { image }]) => image)
      .filter((image) => !image.includes('openvenue'))
    assert.equal(others.length, 3)
    for (const image of others) assert.match(image, /^[a-z]+:\d+\.\d+(\.\d+)?-[a-z]+$/)
    assert.ok(others.some((image) => /^redis:\d+\.\d+\.\d+-/.test(image)))
  })

  test('compose.yaml runs two of each service that must not be missing', () => {
    const names = services.map(([name]) => name).sort()
    const expected = [
      'api-1',
      'api-2',
      'indexer-1',
      'indexer-2',
      'integrated',
      'keeper-1',
      'keeper-2',
    ]
    assert.deepEqual(names, [...expected, 'postgres', 'proxy', 'redis'])
  })

  test('compose.yaml sets only variables that a service reads', () => {
    const names = ours.flatMap(([, { environment }]) => Object.keys(environment ?? {}))
    assert.ok(names.length > 20)
    assert.deepEqual(unknown(names), [])
  })

  test('compose.yaml contains no secret: services get secrets as files', () => {
    for (const [name, { environment = {}, secrets = [] }] of services) {
      const inClear = Object.keys(environment).filter((variable) =>
        SECRETS.includes(variable as never),
      )
      // Redis has no password here: it is not reachable from outside.
      assert.deepEqual(
        inClear.filter((variable) => variable !== 'REDIS_URL'),
        [],
        name,
      )
      const named = Object.entries(environment).filter(([variable]) => isSecretFile(variable))
      assert.deepEqual(named.map(([, path]) => basename(path)).sort(), [...secrets].sort(), name)
      assert.deepEqual(
        secrets.filter((secret) => compose.secrets[secret] === undefined),
        [],
        name,
      )
    }
  })

  test('compose.yaml runs existing programs and checks the ports on which they listen', () => {
    for (const [name, { command = [], healthcheck }] of ours) {
      assert.equal(command[0], 'node')
      assert.ok(existsSync(join(ROOT, command.at(-1) ?? '')), name)
      const [, , alive = '', port = ''] = healthcheck?.test ?? []
      assert.ok(existsSync(join(ROOT, alive)), name)
      const main = command.at(-1) ?? ''
      const ports = { indexer: '3002', keeper: '3003', integrated: '3001', node: '3000' }
      const service = Object.entries(ports).find(([folder]) => main.includes(`${folder}/`))
      const expected = main.includes('integrated') ? '3001' : service?.[1]
      assert.equal(port, expected, name)
    }
  })

  test('compose.yaml gives no service more than it needs', () => {
    for (const [name, service] of services) {
      assert.equal(service.depends_on, undefined, name)
      assert.equal(service.privileged, undefined, name)
      assert.equal(service.restart, 'unless-stopped', name)
      assert.ok(service.mem_limit, name)
      assert.equal(service.ports !== undefined, name === 'proxy', 'only the proxy is outside')
    }
    for (const [name, { read_only, cap_drop }] of ours)
      assert.deepEqual([read_only, cap_drop], [true, ['ALL']], name)
    for (const name of ['postgres', 'redis'])
      assert.deepEqual(compose.services[name]?.networks, ['inside'])
  })
})

describe('.env.example', () => {
  const lines = read('.env.example').split('\n')
  const names = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? [])

  test('.env.example has only variables that are read, and no secret', () => {
    assert.ok(names.length > 10)
    assert.deepEqual(unknown(names), [])
    const secrets = names.filter((name) => SECRETS.some((secret) => secret === name))
    // A URL without a password is not a secret, which the line explains.
    assert.deepEqual(secrets, ['REDIS_URL'])
  })

  test('.env.example describes each variable', () => {
    const bare = lines.filter(
      (line, index) => /^#?[A-Z]+\w*=/.test(line) && !/^# /.test(lines[index - 1] ?? ''),
    )
    assert.deepEqual(bare, [])
  })

  test('.env.example sets no port, which systemd would give to every service', () => {
    assert.deepEqual(
      names.filter((name) => name.endsWith('PORT')),
      [],
    )
  })
})

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n')

  test('the Dockerfile uses equal pinned images, of the Node version of this checkout', () => {
    const from = lines.filter((line) => line.startsWith('FROM '))
    const images = new Set(from.map((line) => line.split(' ')[1]))
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } }
    assert.match(
      [...images].join(),
      new RegExp(`^node:${dependencies.node}-slim@sha256:[0-9a-f]{64}$`),
    )
  })

  test('the Dockerfile ends with an unprivileged user and a health check', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
    assert.ok(last.includes('USER node'))
    assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ')))
    assert.ok(!last.some((line) => /apt-get|curl|ADD /.test(line)), 'nothing is installed in it')
  })

  test('the Docker image has no compiler and no development chain', () => {
    const [, removed = ''] = /&& rm -rf (node_modules\/[\s\S]*?)\n\n/.exec(read('Dockerfile')) ?? []
    const gone = [...removed.matchAll(/node_modules\/(\S+)/g)].map(([, name = '']) => name)
    const [, named = ''] =
      /npm ci --omit=dev [^&]*/.exec(read('Dockerfile'))?.[0].match(/(-w .*)/) ?? []
    const workspaces = [...named.matchAll(/-w (\S+)/g)].map(([, name = '']) => name)
    assert.deepEqual(workspaces, ['indexer', 'keeper', 'api'])
    const installed = productionPackages(workspaces)
    assert.ok(installed.has('fastify') && installed.has('pg'))
    const left = [...installed].filter(
      (name) => COMPILER.test(name) && !gone.some((folder) => `${name}/`.startsWith(`${folder}/`)),
    )
    assert.deepEqual(left, [])
  })

  test('the Dockerfile keeps the documents that the API serves', () => {
    const [, removed = ''] = /&& rm -rf (node_modules\/[\s\S]*?)\n\n/.exec(read('Dockerfile')) ?? []
    const words = removed.split(/[\s\\]+/)
    assert.ok(words.includes('docs/decisions'))
    assert.ok(!words.some((word) => /^docs\/?$|^docs\/(site|[a-z0-9-]+\.json)/.test(word)))
    assert.ok(
      !read('.dockerignore')
        .split('\n')
        .some((line) => line.startsWith('docs')),
    )
  })

  test('the build context of the Docker image excludes secrets', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const path of ['.git', '.env', 'secrets', 'deployments', '*.key'])
      assert.ok(ignored.includes(path), path)
  })
})

/** Compilers of TypeScript, JavaScript and Solidity, bundlers, and chains to develop on. */
const COMPILER =
  /^(typescript|solc|esbuild|rollup|rolldown|vite|terser|@(typescript|foundry-rs|esbuild|rollup|rolldown|biomejs|swc)\/.*)$/

type LockedPackage = Readonly<{
  link?: boolean
  resolved?: string
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
}>

/** Returns the names of all that is installed for `workspaces` and the root without what is dev. */
function productionPackages(workspaces: readonly string[]): ReadonlySet<string> {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Readonly<Record<string, LockedPackage>>
  }
  /** Looks packages up like Node: from the dependent's folder upwards. */
  const find = (name: string, from: string): string | undefined => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
      if (packages[path] !== undefined) return path
      if (folder === '') return undefined
    }
  }
  const versions = new Map<string, string>()
  const open = ['', ...workspaces]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { link, resolved = '', ...entry } = packages[at] ?? {}
    if (link === true) {
      open.push(resolved)
      continue
    }
    const needed = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    }
    for (const name of Object.keys(needed)) {
      const path = find(name, at)
      if (path === undefined || versions.has(path)) continue
      versions.set(path, name)
      open.push(path)
    }
  }
  return new Set(versions.values())
}

const isSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

const UNIT_SETTINGS = {
  ...{ Type: 'notify', Restart: 'always', WatchdogSignal: 'SIGKILL' },
  ...{ DynamicUser: 'yes', ProtectSystem: 'strict', NoNewPrivileges: 'yes' },
  ...{ CapabilityBoundingSet: '', PrivateTmp: 'yes', ProtectHome: 'yes' },
} as const
const EVERYBODY = ['database_url', 'rpc_url']
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'openvenue-indexer.service': EVERYBODY,
  'openvenue-integrated.service': EVERYBODY,
  'openvenue-api@.service': [...EVERYBODY, 'relay_receipt_key', 'key_encryption_key'],
  'openvenue-keeper.service': [...EVERYBODY, 'keeper_key', 'price_url', 'relay_keys'],
}

describe('the units of systemd', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  // The same units, whose programs are those of this checkout.
  const paths = UNITS.map((path) => {
    const copy = join(folder, basename(path))
    writeFileSync(copy, read(path).replaceAll('/opt/openvenue', ROOT))
    return copy
  })
  const analyze = (...args: readonly string[]) =>
    spawnSync('systemd-analyze', args, { encoding: 'utf8' })

  test('systemd units set only variables that a service reads, and load each secret that they name', () => {
    assert.equal(UNITS.length, 4)
    for (const path of UNITS) {
      const text = read(path)
      const set = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
        line.split(' '),
      )
      assert.deepEqual(unknown(set.map((assignment) => assignment.split('=')[0] ?? '')), [], path)
      const files = [...text.matchAll(/=%d\/(\w+)/g)].map(([, name]) => name)
      const given = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name)
      assert.deepEqual(files.sort(), given.sort(), path)
    }
  })

  for (const path of UNITS)
    test(`${basename(path)} restarts, has a watchdog and is unprivileged`, () => {
      const text = read(path)
      const settings = new Map(
        [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
      )
      const of = (name: string) => settings.get(name)
      for (const [name, value] of Object.entries(UNIT_SETTINGS)) assert.equal(of(name), value, name)
      // The watchdog would kill a service that does not notify systemd.
      assert.ok(Number(of('WatchdogSec')) >= 60)
      const given = [...text.matchAll(/^LoadCredential=(\w+):(\S+)$/gm)]
      assert.deepEqual(
        given.map(([, name]) => name).sort(),
        CREDENTIALS[basename(path)]?.toSorted(),
      )
      for (const [, name, file] of given) assert.equal(file, `/etc/openvenue/secrets/${name}`)
    })

  test('systemd units start existing programs', () => {
    for (const path of UNITS) {
      const [, program = ''] = /^ExecStart=\S+ (?:--\S+ )*(\S+)$/m.exec(read(path)) ?? []
      assert.ok(existsSync(join(ROOT, program)), path)
    }
  })

  if (isSystemd) {
    test('systemd accepts the units without a warning', () => {
      const { status, stderr } = analyze('verify', ...paths)
      assert.deepEqual([status, stderr], [0, ''])
    })

    test('systemd units confine their services', () => {
      for (const path of paths) {
        const limit = `--threshold=${EXPOSURE_TENTHS_MAX}`
        const { status, stdout } = analyze('security', '--offline=true', '--no-pager', limit, path)
        assert.equal(status, 0, `${path}: ${stdout.split('\n').slice(-3).join('')}`)
      }
    })
  }
})
