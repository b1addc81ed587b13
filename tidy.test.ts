// The architecture, executed: what may import what, and what may appear where.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { presentExports, wantedExports } from './scripts/exports.ts'
import { circleIn } from './scripts/file-circle.ts'
import { functionLengths } from './scripts/function-lengths.ts'
import { testWaits } from './scripts/test-waits.ts'

/** Every package and all it may import. What is absent is forbidden. A trailing ':' is a prefix. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  wire: ['@openvenue/core', 'typebox'],
  contracts: ['@openvenue/core', 'viem', 'node:'],
  store: [
    '@openvenue/core',
    '@electric-sql/pglite',
    'ioredis',
    'pg',
    'rate-limiter-flexible',
    'node:',
  ],
  indexer: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/store',
    'fastify',
    'pino',
    'prom-client',
    'viem',
    'ws',
    'node:',
  ],
  keeper: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/store',
    'fastify',
    'pino',
    'prom-client',
    'viem',
    'node:',
  ],
  api: [
    '@openvenue/core',
    '@openvenue/wire',
    '@openvenue/store',
    '@fastify/cors',
    '@fastify/proxy-addr',
    '@fastify/swagger',
    '@fastify/swagger-ui',
    'tiny-secp256k1',
    'fastify',
    'ipaddr.js',
    'lru-cache',
    'pino',
    'prom-client',
    'socket.io',
    'viem',
    'ws',
    'node:',
  ],
  devnet: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/store',
    '@openvenue/indexer',
    '@openvenue/keeper',
    '@openvenue/api',
    'pino',
    'viem',
    'node:',
  ],
  client: ['@openvenue/core', '@openvenue/wire', '@openvenue/contracts', 'viem'],
  terminal: ['openvenue', 'solid-js', 'viem', 'vite', 'vite-plugin-solid'],
  cli: ['openvenue', '@openvenue/core/networks', 'commander', 'viem', 'ws', 'node:'],
  deploy: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/store',
    'typebox',
    'viem',
    'node:',
  ],
  adapters: ['openvenue', '@modelcontextprotocol', 'ccxt', 'viem', 'node:'],
  drills: [
    '@openvenue/core/ids',
    '@openvenue/ccxt',
    '@openvenue/contracts',
    '@openvenue/store',
    '@openvenue/devnet',
    '@openvenue/e2e',
    'openvenue',
    'pg',
    'socket.io-client',
    'viem',
    'ws',
    'node:',
  ],
}

/** The rooms of the api, from the lowest up: a file imports from its own room and those below. */
const API_ROOMS = [
  ['http'],
  ['model'],
  ['account', 'identity'],
  ['orders'],
  ['rest', 'sockets'],
  ['node'],
  ['integrated'],
]
/** The rooms of the sockets, in the same way. */
const SOCKET_ROOMS = [
  ['streams'],
  ['channels', 'session'],
  ['admission', 'operations'],
  ['transports'],
]

/** Imports that the tests of a package stand on: files of its `test` folder may have them too. */
const TESTS_MAY_IMPORT: Record<string, readonly string[]> = {
  core: ['node:'],
  api: ['socket.io-client', 'typebox'],
  client: ['@openvenue/api', 'node:', 'ws'],
  cli: ['@openvenue'],
  deploy: ['@openvenue'],
  adapters: ['@openvenue'],
  keeper: ['@openvenue/indexer', '@openvenue/api'],
  terminal: ['@openvenue', 'axe-core', 'playwright-core', 'node:'],
}

/** The pure packages are functions of their input: no clock, no chance, no float, no waiting. */
const PURE = ['core', 'wire']
const BANNED_IN_PURE = [
  /\bnew Date\b/,
  /\bDate\.now\b/,
  /\bMath\.random\b/,
  /\bparseFloat\b/,
  /\bawait\b/,
]

/** Only a package's `main.ts` (and a script that an operator runs) may look at the environment. */
const ENVIRONMENT = /\bprocess\.(env|on|exit)\b/
const ENTRY_POINTS =
  /\/(main|faucet|register|scenario|trend|record-golden|traders-main|integrated-main)\.ts$/

/** Files that may wait by a loop or a sleep of their own, each with the reason. */
const OWN_WAITS: Readonly<Record<string, string>> = {
  'core/test/until.ts': 'the poll loop that all tests share',
  'api/src/sockets/draining.test.ts': 'makes blocks at a set pace while clients move',
  'api/src/sockets/stopped-process.test.ts': 'makes blocks at a set pace while clients move',
  'deploy/test/arc-chain.ts': 'makes the blocks of a chain at a set pace',
  'e2e/src/arazzo-runner.ts': 'pauses between tries for as long as the document says',
  'e2e/src/liveliness.e2e.ts': 'samples a market at a set pace',
  'indexer/src/crash.test.ts': 'makes blocks at a set pace and kills at random moments',
  'indexer/src/failover.test.ts': 'makes blocks at a set pace',
  'indexer/src/pools-crash.test.ts': 'kills at random moments',
  'keeper/src/relayer/relay-processes.test.ts': 'breaks something at random moments',
  'keeper/test/api-nodes.ts': 'pauses between tries as a client does',
  'keeper/test/clock.ts': 'advances virtual time',
  'keeper/test/live-blocks.ts': 'makes the blocks of a chain at a set pace',
  'keeper/test/relay-load.ts': 'places orders at a set pace',
  'store/src/migrate-kill.test.ts': 'kills at random moments',
  'e2e/src/order-bot/order-bot.ts': 'trades at a set pace and reports an order that is late',
}

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const COMMENT_COLUMNS_MAX = 100
const COMMENT_TOO_LONG = new RegExp(`^(?=\\s*(//|/?\\*)).{${COMMENT_COLUMNS_MAX + 1},}$`)

/** Words that only their authors knew, each with the field's word that stands in its place. */
const GONE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(un)?(told|tell|tells|telling|teller|retell|retold)\b/i, 'notify, publish, retract, or say'],
  [/\bnotices?\b/i, 'notification'],
  [/\b(story|stories)\b/i, 'scenario'],
  [/\boutlets?\b/i, 'ReplayBuffer'],
  [/\bhub\b/i, 'FeedCache'],
  // A finger's events have that name in every browser.
  [/\btouch(es)?\b(?! (start|move|end|points|event)\b)/i, 'affected, affectedBy'],
  [/\bdoors?\b/i, 'transport, entry point'],
  [/\bgates?\b/i, 'admission'],
  [/\bdesks?\b/i, 'PerpsAdmin, TxSender, calls'],
  [/\b(duty|duties)\b/i, 'task'],
  [/\bflights?\b/i, 'PendingTx, pending'],
  [/\bsetbacks?\b/i, 'Backoff'],
  [/\b(bell|wake)s?\b/i, 'Signal'],
  [/\b(standing|scripted)\b/i, 'live for what runs, fake for what is not real'],
  [/\b(lame|heal|heals|healed|healing)\b/i, 'stale, resync'],
  [/\bwhims?\b|(?<!random[ -])\bwalk(s|ed|ing|er)?\b/i, 'scan, random'],
]

/** Names read as their words: `marketTouch` and `MARKET_TOUCH` are "market touch". */
const asWords = (text: string) =>
  text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

const ANY_GONE_WORD = new RegExp(GONE_WORDS.map(([word]) => word.source).join('|'), 'i')

const goneWordsIn = (text: string) =>
  (ANY_GONE_WORD.test(text) ? GONE_WORDS : []).flatMap(([word, instead]) => {
    const [found] = word.exec(text) ?? []
    return found === undefined ? [] : [`"${found}": say ${instead}`]
  })
const VAGUE_NAMES = /\/(utils?|helpers?|common|misc|shared|lib)(\/|\.ts$)/
const TODO_WITHOUT_ISSUE = /\b(TODO|FIXME|XXX)\b(?!\(#\d+\))/

const packages = Object.keys(MAY_IMPORT)
const owner = (path: string) => path.split('/')[0] ?? ''
const sources = packages
  .flatMap((owner) => globSync([`${owner}/{src,events}/**/*.ts`, `${owner}/test/**/*.ts`]))
  .concat(globSync(['adapters/*/{src,test}/**/*.ts', 'terminal/src/**/*.tsx']))
  .filter((path) => !path.includes('node_modules') && !/\.(test|browser)\.ts$/.test(path))
  .map((path) => ({ path, owner: owner(path), text: readFileSync(path, 'utf8') }))

/** Whatever people read: code, tests, SQL and documents, without what tools write. */
const written = globSync('**/*.{ts,tsx,sol,sql,md,tree}', {
  exclude: (path) =>
    /node_modules|^contracts\/(abi|out|cache|lib)|^client\/dist|^docs\/decisions|^\.data/.test(
      path,
    ),
})
  .filter((path) => path !== 'tidy.test.ts' && path !== 'CHANGELOG.md')
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n') }))

/** Tests, and what only tests use. */
const tests = globSync('**/*.ts', { exclude: (path) => /node_modules|^\.data/.test(path) })
  .filter((path) => /\.(test|e2e|browser)\.ts$|\/test\/|^e2e\/src\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const waitsIn = (among: typeof tests) =>
  among
    .filter(({ path }) => !(path in OWN_WAITS))
    .flatMap(({ path, text }) => testWaits(text).map((wait) => ({ ...wait, path })))

/** A sleep in a helper may be part of what it imitates: only those of tests are violations. */
const testsWaits = waitsIn(tests)

const findImports = (text: string) =>
  [...text.matchAll(/(?<!')\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name = '']) => name)

const allowedTo = (owner: string, path: string) => [
  ...(MAY_IMPORT[owner] ?? []),
  ...(path.includes('/test/') ? (TESTS_MAY_IMPORT[owner] ?? []) : []),
]

const mayImport = (owner: string, name: string, path = '') =>
  allowedTo(owner, path).some(
    (allowed) =>
      name === allowed || name.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`),
  )

/** Whether a relative import leads out of its package. */
const leaves = (path: string, name: string) => !join(dirname(path), name).startsWith(owner(path))

/** Whether a source stands on what only tests may. */
const standsOnTests = (path: string, name: string) =>
  path.includes('/src/') &&
  (name.startsWith('.') ? join(dirname(path), name) : name).includes('/test/')

const findRoom = (path: string) => path.match(/^api\/src\/(\w+)\//)?.[1] ?? ''
const findFloor = (path: string) => API_ROOMS.findIndex((rooms) => rooms.includes(findRoom(path)))

/** Whether an import of a file of the api leads into its own room, or into one further down. */
const leadsDown = (path: string, target: string) =>
  findRoom(path) === findRoom(target) ||
  (findFloor(target) >= 0 && findFloor(target) < findFloor(path))

const socketFloor = (path: string) => {
  const [, room = ''] = path.match(/^api\/src\/sockets\/(\w+)\//) ?? []
  return { room, floor: SOCKET_ROOMS.findIndex((rooms) => rooms.includes(room)) }
}

/** Whether an import within the sockets leads into its own room, or into one further down. */
const leadsDownSockets = (path: string, target: string) => {
  const [from, to] = [socketFloor(path), socketFloor(target)]
  return from.room === to.room || (to.floor >= 0 && to.floor < from.floor)
}

const ownImports = ({ path, text }: (typeof sources)[number]) =>
  findImports(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name))

const foundIn = (among: typeof sources, banned: readonly RegExp[]) =>
  among.flatMap(({ path, text }) =>
    banned.filter((pattern) => pattern.test(text)).map((pattern) => `${path}: ${pattern}`),
  )

describe('the structure', () => {
  test('has sources to check', () => {
    assert.ok(sources.length > 20, `${sources.length} files`)
  })

  test('lets a package import only what it may', () => {
    const violations = sources.flatMap(({ path, owner, text }) =>
      findImports(text)
        .filter((name) =>
          name.startsWith('.') ? leaves(path, name) : !mayImport(owner, name, path),
        )
        .map((name) => `${path} imports ${name}`),
    )
    assert.deepEqual(violations, [])
  })

  test('lets a package export what others import of it, and nothing else', () => {
    for (const [owner, wanted] of wantedExports()) {
      const hint = `${owner}/package.json: npx node scripts/exports.ts writes what should stand`
      assert.deepEqual(
        presentExports(owner),
        wanted,
        `${hint}:\n${JSON.stringify(wanted, null, 2)}`,
      )
    }
  })

  test('has nothing in a source that only tests may stand on', () => {
    const violations = sources.flatMap(({ path, text }) =>
      findImports(text)
        .filter((name) => standsOnTests(path, name))
        .map((name) => `${path} imports ${name}`),
    )
    assert.deepEqual(violations, [])
  })

  test('lets a room of the api import only from the rooms below it', () => {
    const violations = sources
      .filter(({ path }) => path.startsWith('api/src/'))
      .flatMap((source) =>
        ownImports(source)
          .filter((target) => !leadsDown(source.path, target))
          .map((target) => `${source.path} imports ${target}`),
      )
    assert.deepEqual(violations, [])
  })

  test('lets a room of the sockets import only from the rooms below it', () => {
    const violations = sources
      .filter(({ path }) => socketFloor(path).room !== '')
      .flatMap((source) =>
        ownImports(source)
          .filter((target) => target.startsWith('api/src/sockets/'))
          .filter((target) => !leadsDownSockets(source.path, target))
          .map((target) => `${source.path} imports ${target}`),
      )
    assert.deepEqual(violations, [])
  })

  test('has no circle of files', () => {
    const graph = new Map(sources.map((source) => [source.path, ownImports(source)]))
    assert.deepEqual(circleIn(graph), [])
  })

  test('keeps the pure packages free of clock, chance, float and wait', () => {
    const pure = sources.filter(({ path, owner }) => PURE.includes(owner) && path.includes('/src/'))
    assert.deepEqual(foundIn(pure, BANNED_IN_PURE), [])
  })

  test('reads the environment and ends the process in entry points only', () => {
    const inner = sources.filter(({ path }) => path.includes('/src/') && !ENTRY_POINTS.test(path))
    assert.deepEqual(foundIn(inner, [ENVIRONMENT]), [])
  })

  test(`has no file longer than ${LINES_MAX} lines and none vaguely named`, () => {
    const violations = sources
      .filter(({ path, text }) => text.split('\n').length > LINES_MAX || VAGUE_NAMES.test(path))
      .map(({ path }) => path)
    assert.deepEqual(violations, [])
  })

  test(`has no function longer than ${FUNCTION_LINES_MAX} lines, what is nested in it included`, () => {
    // Those of components are held by the linter.
    const plain = sources.filter(({ path }) => path.endsWith('.ts'))
    const violations = plain.flatMap(({ path, text }) =>
      functionLengths(text)
        .filter(({ lines }) => lines > FUNCTION_LINES_MAX)
        .map(({ name, line, lines }) => `${path}:${line} ${name}: ${lines}`),
    )
    assert.deepEqual(violations, [])
  })

  test(`keeps comments within ${COMMENT_COLUMNS_MAX} columns`, () => {
    const violations = written
      .filter(({ path }) => /\.(tsx?|sol)$/.test(path))
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, index) =>
          COMMENT_TOO_LONG.test(line) ? [`${path}:${index + 1}`] : [],
        ),
      )
    assert.deepEqual(violations, [])
  })

  test('polls in tests only by core/test/until.ts', () => {
    const violations = testsWaits
      .filter(({ kind }) => kind !== 'sleep')
      .map(({ path, line, kind }) => `${path}:${line} ${kind}: use core/test/until.ts`)
    assert.deepEqual(violations, [])
  })

  test('has no test that sleeps: each waits for a condition or mocks the clock', () => {
    const violations = testsWaits
      .filter(({ path, kind }) => kind === 'sleep' && !path.includes('/test/'))
      .map(({ path, line }) => `${path}:${line} awaits a sleep`)
    assert.deepEqual(violations, [])
  })

  test('says things in the words of the field', () => {
    const violations = written.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        goneWordsIn(asWords(line)).map((word) => `${path}:${index + 1} ${word}`),
      ),
    )
    assert.deepEqual(violations, [])
  })

  test('leaves no note to do something later without an issue', () => {
    assert.deepEqual(foundIn(sources, [TODO_WITHOUT_ISSUE]), [])
  })

  test('catches each kind of violation when one is planted', () => {
    assert.equal(mayImport('core', 'node:fs'), false)
    assert.equal(mayImport('wire', '@openvenue/store/store'), false)
    assert.equal(mayImport('store', '@openvenue/core/records'), true)
    assert.equal(mayImport('api', 'typebox', 'api/src/rest/home.ts'), false)
    assert.ok(leaves('api/src/rest/home.ts', '../../../store/src/db.ts'))
    assert.ok(!leaves('api/src/rest/home.ts', '../model/windows.ts'))
    assert.ok(standsOnTests('api/src/rest/home.ts', '../../test/buckets.ts'))
    assert.ok(standsOnTests('api/src/rest/home.ts', '@openvenue/store/test/backends'))
    assert.ok(!standsOnTests('api/test/history-node.ts', './buckets.ts'))
    assert.ok(leadsDown('api/src/rest/home.ts', 'api/src/http/host.ts'))
    assert.ok(!leadsDown('api/src/http/host.ts', 'api/src/rest/home.ts'))
    assert.ok(!leadsDown('api/src/rest/home.ts', 'api/src/sockets/sockets.ts'))
    assert.ok(
      !leadsDownSockets('api/src/sockets/streams/channel.ts', 'api/src/sockets/channels/orders.ts'),
    )
    assert.ok(!leadsDown('api/src/rest/home.ts', 'api/src/attic/home.ts'))
    const round = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b']],
    ])
    assert.deepEqual(circleIn(round), ['b', 'c', 'b'])
    assert.deepEqual(
      circleIn(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
        ]),
      ),
      [],
    )
    const planted = [{ path: 'core/src/helpers.ts', owner: 'core', text: 'await Date.now()' }]
    assert.equal(foundIn(planted, BANNED_IN_PURE).length, 2)
    assert.ok(VAGUE_NAMES.test('core/src/helpers.ts'))
    const kindsIn = (path: string, text: string) => waitsIn([{ path, text }]).map((w) => w.kind)
    const poll = 'const until = async (is) => { while (!is()) await delay(1) }'
    assert.deepEqual(kindsIn('api/src/a.test.ts', poll), ['until', 'loop'])
    assert.deepEqual(kindsIn('core/test/until.ts', poll), [])
    const sleep = 'await new Promise((resolve) => setTimeout(resolve, 50))'
    assert.deepEqual(kindsIn('api/src/a.test.ts', sleep), ['sleep'])
    assert.deepEqual(kindsIn('api/src/a.test.ts', `for (;;) { ${sleep} }`), ['loop'])
    assert.deepEqual(kindsIn('api/src/a.test.ts', 'await make({ delay: () => sleep(5) })'), [])
    assert.ok(ENVIRONMENT.test('process.env.PORT'))
    assert.ok(TODO_WITHOUT_ISSUE.test('// TODO later'))
    assert.ok(COMMENT_TOO_LONG.test(`  // ${'x'.repeat(COMMENT_COLUMNS_MAX)}`))
    assert.ok(!COMMENT_TOO_LONG.test(`  call(${'x'.repeat(COMMENT_COLUMNS_MAX)})`))
    assert.match(goneWordsIn(asWords('const marketTouch = 1')).join(), /say affected/)
    assert.match(goneWordsIn(asWords('IN_FLIGHT_MAX')).join(), /say PendingTx/)
    assert.deepEqual(goneWordsIn(asWords('a notification of the untouched health')), [])
    assert.ok(!TODO_WITHOUT_ISSUE.test('// TODO(#3) later'))
  })
})
