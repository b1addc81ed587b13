// The architecture, executed: what may import what, and what may appear where.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { patternsIn, proseIn, SHARES_FILE, shares } from './scripts/english.ts'
import { presentExports, wantedExports } from './scripts/exports.ts'
import { circleIn } from './scripts/file-circle.ts'
import { functionLengths } from './scripts/function-lengths.ts'
import { LIMITS, type Measure, measureStructure } from './scripts/structure.ts'
import { testWaits } from './scripts/test-waits.ts'

/** Every package and all its allowed imports. Others are forbidden. A trailing ':' is a prefix. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  wire: ['@openvenue/core', 'typebox'],
  contracts: ['@openvenue/core', 'viem', 'node:'],
  runtime: ['@openvenue/core', 'viem', 'node:'],
  store: [
    '@openvenue/core',
    '@openvenue/runtime',
    '@electric-sql/pglite',
    '@nats-io/jetstream',
    '@nats-io/transport-node',
    'ioredis',
    'pg',
    'rate-limiter-flexible',
    'node:',
  ],
  indexer: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/runtime',
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
    '@openvenue/runtime',
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
    '@openvenue/runtime',
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
    '@openvenue/runtime',
    '@openvenue/store',
    '@openvenue/indexer',
    '@openvenue/keeper',
    '@openvenue/api',
    'openvenue',
    'pino',
    'viem',
    'node:',
  ],
  client: ['@openvenue/core', '@openvenue/wire', '@openvenue/contracts', 'viem'],
  terminal: ['openvenue', 'klinecharts', 'solid-js', 'viem', 'vite', 'vite-plugin-solid'],
  cli: ['openvenue', '@openvenue/core/networks', 'commander', 'viem', 'ws', 'node:'],
  deploy: [
    '@openvenue/core',
    '@openvenue/contracts',
    '@openvenue/runtime',
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
    '@openvenue/runtime/node',
    '@openvenue/runtime/views',
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

/**
 * The rooms of a folder, from the lowest up: a file imports from its own room and those below.
 * Files beside the rooms are free, and are in reach of the rooms only where they are listed.
 */
const ROOMS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'api/src/': [
    ['http'],
    ['model'],
    ['account', 'identity'],
    ['orders'],
    ['rest', 'sockets'],
    ['node'],
    ['integrated'],
  ],
  'api/src/orders/': [
    ['order-parts.ts'],
    ['rules'],
    ['relay'],
    ['cancel', 'place'],
    ['edit', 'preview'],
  ],
  'api/src/sockets/': [
    ['streams'],
    ['channels', 'session'],
    ['admission', 'operations'],
    ['transports'],
  ],
  'store/src/': [
    ['store.ts'],
    ['db'],
    ['broadcast'],
    ['history'],
    ['identity'],
    ['intents'],
    ['feed'],
    ['maintenance'],
  ],
  'terminal/src/': [['text'], ['protocol'], ['page'], ['features'], ['shell', 'worker']],
  'terminal/src/features/': [
    ['protocol'],
    ['settings', 'market', 'pools'],
    ['wallet', 'trades'],
    ['session', 'status'],
    ['money', 'notifications'],
    ['account'],
    ['order'],
    ['tables', 'chart', 'keyboard'],
    ['book', 'keys', 'portfolio', 'sub-accounts', 'faucet'],
    ['chain', 'address'],
  ],
}

/** Types that a feature of the terminal shares with its worker belong to the room `protocol`. */
const PROTOCOL_FILE = /^terminal\/src\/features\/[\w-]+\/[\w-]+-protocol\.ts$/

/** Imports that only tests may have, which includes files in the `test` folder of the package. */
const TESTS_MAY_IMPORT: Record<string, readonly string[]> = {
  core: ['node:'],
  api: ['socket.io-client', 'typebox'],
  client: ['@openvenue/api', 'node:', 'ws'],
  cli: ['@openvenue'],
  deploy: ['@openvenue'],
  drills: ['@openvenue'],
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
  'store/src/db/migrate-kill.test.ts': 'kills at random moments',
  'e2e/src/order-bot/order-bot.ts': 'trades at a set pace and reports an order that is late',
}

const LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const COMMENT_COLUMNS_MAX = 100
const COMMENT_TOO_LONG = new RegExp(`^(?=\\s*(//|/?\\*)).{${COMMENT_COLUMNS_MAX + 1},}$`)

/** Words of our own, each with the field's word that replaces it. */
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

/** Returns whether a relative import leaves its package. */
const leaves = (path: string, name: string) => !join(dirname(path), name).startsWith(owner(path))

/** Returns whether a source imports test code. */
const standsOnTests = (path: string, name: string) =>
  path.includes('/src/') &&
  (name.startsWith('.') ? join(dirname(path), name) : name).includes('/test/')

const findRoom = (folder: string, path: string) =>
  PROTOCOL_FILE.test(path) ? 'protocol' : (path.slice(folder.length).split('/')[0] ?? '')

/** Returns whether an import within a folder stays in the file's room or leads to a lower one. */
function leadsDown(folder: string, path: string, target: string): boolean {
  const [from, to] = [findRoom(folder, path), findRoom(folder, target)]
  const floor = (room: string) => (ROOMS[folder] ?? []).findIndex((rooms) => rooms.includes(room))
  return from === to || /\.tsx?$/.test(from) || (floor(to) >= 0 && floor(to) < floor(from))
}

const ownImports = ({ path, text }: (typeof sources)[number]) =>
  findImports(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(path), name))

/** Text with letters after a tag or before a closing one, and literal attributes that are read. */
const JSX_TEXTS = [
  /(?<=[\w"'}/<]>|^ *>)[^<>{}()=]*\p{L}[^<>{}=]*(?=<|\{)/gmu,
  /(?<=\})[^<>{}=\n]*\p{L}[^<>{}=\n]*(?=<\/)/gu,
  /(?<=\s)(?:title|placeholder|aria-label|label|alt)="[^"]*\p{L}[^"]*"/gu,
]
/** What follows a type in code, not a tag. */
const AFTER_TYPE = /^\s*(?:[/[]|(?:type|const|let|function|export|import|return)\b)/

const jsxTexts = (text: string) =>
  JSX_TEXTS.flatMap((pattern) =>
    (text.replaceAll(/\{?\/\*[\s\S]*?\*\/\}?|^\s*\/\/.*$/gm, '').match(pattern) ?? []).filter(
      (found) => !AFTER_TYPE.test(found),
    ),
  )

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

  test('has no source that imports test code', () => {
    const violations = sources.flatMap(({ path, text }) =>
      findImports(text)
        .filter((name) => standsOnTests(path, name))
        .map((name) => `${path} imports ${name}`),
    )
    assert.deepEqual(violations, [])
  })

  for (const folder of Object.keys(ROOMS))
    test(`lets a room of ${folder} import only from the rooms below it`, () => {
      const violations = sources
        .filter(({ path }) => path.startsWith(folder))
        .flatMap((source) =>
          ownImports(source)
            .filter((target) => target.startsWith(folder))
            .filter((target) => !leadsDown(folder, source.path, target))
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

  test('keeps the texts of the terminal out of its components', () => {
    const components = sources.filter(({ path }) => /^terminal\/src\/.*\.tsx$/.test(path))
    const violations = components.flatMap(({ path, text }) =>
      jsxTexts(text).map((found) => `${path}: ${found.trim()}`),
    )
    assert.deepEqual(violations, [])
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
    // The linter checks those of components.
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

  test('uses the words of the field', () => {
    const violations = written.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        goneWordsIn(asWords(line)).map((word) => `${path}:${index + 1} ${word}`),
      ),
    )
    assert.deepEqual(violations, [])
  })

  test("raises no package's share of English that reads like a translation", () => {
    const recorded: Record<string, number> = JSON.parse(readFileSync(SHARES_FILE, 'utf8'))
    const changes = [...shares()]
      .map(([owner, { percent }]) => ({ owner, percent, record: recorded[owner] ?? 0 }))
      .filter(({ percent, record }) => percent > record || percent <= record - 1)
      .map(({ owner, percent, record }) => `${owner}: ${percent} %, recorded ${record} %`)
    const hint = 'node scripts/english.ts <package> lists matches; --record records a lower share'
    assert.deepEqual(changes, [], hint)
  })

  test('grows in no measure of the structure', () => {
    const grown = Object.entries(measureStructure())
      .map(([name, value]) => ({ name, value, limit: LIMITS[name as Measure] }))
      .filter(({ value, limit }) => value > limit)
      .map(({ name, value, limit }) => `${value} ${name}, at most ${limit}`)
    assert.deepEqual(grown, [])
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
    const inApi = (path: string, target: string) =>
      leadsDown('api/src/', `api/src/${path}`, `api/src/${target}`)
    assert.ok(inApi('rest/home.ts', 'http/host.ts'))
    assert.ok(!inApi('http/host.ts', 'rest/home.ts'))
    assert.ok(!inApi('rest/home.ts', 'sockets/sockets.ts'))
    assert.ok(!inApi('rest/home.ts', 'attic/home.ts'))
    assert.ok(!inApi('attic/home.ts', 'http/host.ts'))
    const inSockets = (path: string, target: string) =>
      leadsDown('api/src/sockets/', `api/src/sockets/${path}`, `api/src/sockets/${target}`)
    assert.ok(!inSockets('streams/channel.ts', 'channels/orders.ts'))
    assert.ok(inSockets('sockets.ts', 'channels/orders.ts'))
    const inTerminal = (path: string, target: string) =>
      leadsDown('terminal/src/', `terminal/src/${path}`, `terminal/src/${target}`)
    assert.ok(inTerminal('main.tsx', 'shell/app.tsx'))
    assert.ok(!inTerminal('features/book/book-panel.tsx', 'shell/app.tsx'))
    assert.ok(!inTerminal('protocol/protocol.ts', 'features/book/worker/book-view.ts'))
    assert.ok(inTerminal('protocol/protocol.ts', 'features/market/market-protocol.ts'))
    const inFeatures = (path: string, target: string) =>
      leadsDown(
        'terminal/src/features/',
        `terminal/src/features/${path}`,
        `terminal/src/features/${target}`,
      )
    assert.ok(inFeatures('order/ticket.ts', 'account/worker/order-size.ts'))
    assert.ok(!inFeatures('account/worker/account-feed.ts', 'order/worker/own-orders.ts'))
    assert.ok(inFeatures('account/worker/account-feed.ts', 'order/order-protocol.ts'))
    assert.ok(!inFeatures('order/order-protocol.ts', 'order/ticket.ts'))
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
    for (const planted of [
      '<h2>Book</h2>',
      '<p\n  class="quiet"\n>\n  No orders\n</p>',
      '<p>Orders ({count()})</p>',
      '<p>{count()} orders</p>',
      '<input placeholder="Find" />',
      '<th scope="col" title="Size ahead">{text.ahead}</th>',
    ])
      assert.equal(jsxTexts(planted).length, 1, planted)
    for (const code of [
      '<h2 class="part">{text.title}</h2>',
      'const Row = (props: Readonly<{ row: TableRow }>) => (\n  <td>{props.row.name}</td>\n)',
      'type Find = Readonly<{ name: string }>\n\nfunction find(names: Set<string>): Find {}',
      'return items.map((item) => <li>▲ {item}</li>)',
    ])
      assert.deepEqual(jsxTexts(code), [], code)
    assert.ok(ENVIRONMENT.test('process.env.PORT'))
    assert.ok(TODO_WITHOUT_ISSUE.test('// TODO later'))
    assert.ok(COMMENT_TOO_LONG.test(`  // ${'x'.repeat(COMMENT_COLUMNS_MAX)}`))
    assert.ok(!COMMENT_TOO_LONG.test(`  call(${'x'.repeat(COMMENT_COLUMNS_MAX)})`))
    assert.match(goneWordsIn(asWords('const marketTouch = 1')).join(), /say affected/)
    assert.match(goneWordsIn(asWords('IN_FLIGHT_MAX')).join(), /say PendingTx/)
    assert.deepEqual(goneWordsIn(asWords('a notification of the untouched health')), [])
    assert.ok(!TODO_WITHOUT_ISSUE.test('// TODO(#3) later'))
    const prose = proseIn(
      'a.ts',
      "// What waits,\n// alone.\ntest('says so', () => throw_('Nobody is there'))",
    )
    assert.deepEqual(
      prose.map(({ line, text }) => [line, ...patternsIn(text)]),
      [
        [1, 'starts with a relative word', 'alone'],
        [3, 'programs that say or hear'],
        [3, 'nobody and the like'],
      ],
    )
    assert.deepEqual(patternsIn('There are no orders. Which one? It is no longer valid.'), [])
    assert.deepEqual(
      proseIn('a.md', 'One\ntext here. Two more words.\n\n| a cell | of three words |').length,
      2 + 1,
    )
  })
})
