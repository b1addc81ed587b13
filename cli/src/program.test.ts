import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Argument } from 'commander'
import { places, hostOf as programHost } from '../test/program-host.ts'
import type { Environment } from './host.ts'
import { mayColour } from './output.ts'
import { buildProgram, run } from './program.ts'
import { VERSION } from './version.ts'

const home = mkdtempSync(join(tmpdir(), 'openvenue-cli-'))
after(() => rmSync(home, { recursive: true, force: true }))

const WRONG_CHECKSUM = '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
/** Credentials of a throwaway account. */
const ACCOUNT = {
  OPENVENUE_ACCOUNT: `0x${'ac'.repeat(20)}`,
  OPENVENUE_API_KEY: 'key',
  OPENVENUE_API_SECRET: 'secret',
  OPENVENUE_SIGNING_KEY: `0x${'5e'.repeat(32)}`,
  OPENVENUE_WALLET_KEY: `0x${'6e'.repeat(32)}`,
}

/** An address without a server. */
const NOWHERE = 'http://127.0.0.1:1'

const hostOf = (env: Environment = {}) =>
  programHost({ OPENVENUE_URL: NOWHERE, OPENVENUE_NETWORK: 'devnet', ...env }, { homeDir: home })

async function typed(line: string, env: Environment = {}) {
  const { host, said } = hostOf(env)
  return {
    code: await run(
      line.split(' ').filter((word) => word !== ''),
      host,
    ),
    ...said,
  }
}

describe('the program', () => {
  for (const [line, code, pattern] of [
    ['bok', 2, /Did you mean book/],
    ['markets --jsno', 2, /unknown option/],
    ['markets --json --csv', 2, /exclude each other/],
    ['book', 2, /missing required argument 'market'/],
    ['book ETH-PERP --depth 0', 2, /from 1 to 500/],
    ['place ETH-PERP hold 1', 2, /Allowed choices are buy, sell/],
    ['place ETH-PERP buy 1 --ioc --fok', 2, /cannot be used with/],
    ['place ETH-PERP buy 1 --price 1e3', 2, /--price: got 1e3, expected a decimal number/],
    ['candles ETH-PERP --resolution 7', 2, /Allowed choices/],
    ['watch trades', 2, /market is missing: trades needs one, such as ETH-PERP/],
    ['markets --url nonsense', 2, /--url: expected an address/],
    ['markets', 3, /no answer/],
    ['account', 4, /OPENVENUE_API_KEY/],
    ['doctor', 6, /^/],
    ['--version', 0, /^/],
    ['place --help', 0, /^/],
  ] as const)
    test(`"${line}" ends with ${code} and prints the reason to standard error`, async () => {
      const { code: ended, err, out } = await typed(line)
      assert.equal(ended, code, err)
      assert.match(err, pattern)
      if (code !== 0 && code !== 6) assert.equal(out, '')
    })

  /** Valid arguments; those with choices use the first choice. */
  const GOOD: Readonly<Record<string, string>> = { amount: '1', token: 'USDC', market: 'ETH-PERP' }
  const goodOf = (arg: Argument) => arg.argChoices?.[0] ?? GOOD[arg.name()] ?? 'x'

  test('an empty argument or option of any command ends with 2 and one line', async () => {
    for (const { words, command } of places(home)) {
      const args = command.registeredArguments
      const lines = [
        ...args.map((_, at) => args.map((arg, other) => (other === at ? '' : goodOf(arg)))),
        ...args.map((_, at) => args.map((arg, other) => (other === at ? '..' : goodOf(arg)))),
        ...command.options
          .filter(({ required }) => required)
          .map(({ long }) => [...args.map(goodOf), long ?? '', '']),
      ]
      for (const line of lines) {
        const { host, said } = hostOf(ACCOUNT)
        const code = await run([...words, ...line], host)
        assert.equal(code, 2, `${words.join(' ')} ${JSON.stringify(line)}: ${said.err}`)
        assert.match(said.err, /^[^\n]+\n$/)
      }
    }
  })

  test('no command prints a stack, whatever its arguments', async () => {
    const bad = [
      'NaN',
      '-1',
      '1e9',
      '0',
      '0x',
      WRONG_CHECKSUM,
      `0x${'0'.repeat(64)}`,
      '9'.repeat(99),
    ]
    for (const { words, command } of places(home)) {
      const args = command.registeredArguments
      for (const text of bad) {
        const lines = [
          args.map(() => text),
          ...args.map((_, at) => args.map((arg, other) => (other === at ? text : goodOf(arg)))),
          ...command.options
            .filter(({ required }) => required)
            .map(({ long }) => [...args.map(goodOf), `${long}=${text}`]),
        ]
        for (const line of lines) {
          const { host, said } = hostOf(ACCOUNT)
          const code = await run([...words, ...line], host)
          assert.notEqual(code, 70, `${words.join(' ')} ${JSON.stringify(line)}: ${said.err}`)
        }
      }
    }
  })

  for (const [line, pattern] of [
    ['withdraw 1 USDC --recipient', /--recipient: .* expected a valid checksum.*0x5aAeb6/],
    ['keys new --account', /--account: .* expected a valid checksum/],
  ] as const)
    test(`"${line}" with a wrong checksum prints the valid one`, async () => {
      const { code, err } = await typed(`${line} ${WRONG_CHECKSUM}`)
      assert.equal(code, 2)
      assert.match(err, pattern)
      assert.equal(err.trim().split('\n').length, 1)
    })

  test('an account with a wrong checksum and a private key off the curve are refused', async () => {
    const wrong = { OPENVENUE_ACCOUNT: WRONG_CHECKSUM }
    assert.equal((await typed('account', { ...ACCOUNT, ...wrong })).code, 4)
    for (const digits of ['0'.repeat(64), 'f'.repeat(64)]) {
      const env = { ...ACCOUNT, OPENVENUE_SIGNING_KEY: `0x${digits}` }
      const { code, err } = await typed('place ETH-PERP buy 1 --price 1', env)
      assert.equal(code, 4, err)
      assert.ok(!err.includes(digits))
    }
  })

  test('the error for an invalid secret does not show it', async () => {
    const { code, err } = await typed('account', { OPENVENUE_SIGNING_KEY: '0x5ec2e7' })
    assert.equal(code, 4)
    assert.match(err, /OPENVENUE_SIGNING_KEY: expected 0x and 64 hex digits/)
    assert.doesNotMatch(err, /5ec2e7/)
  })

  test('every command that changes something has --dry-run, and no argument takes a secret', () => {
    const { commands } = buildProgram(hostOf().host)
    const all = commands.flatMap((command) => [command, ...command.commands])
    const dry = all.filter(({ options }) => options.some(({ long }) => long === '--dry-run'))
    assert.deepEqual(dry.map((command) => command.name()).sort(), [
      'allow',
      'cancel',
      'cancel-all',
      'close',
      'deposit',
      'edit',
      'faucet',
      'new',
      'place',
      'revoke',
      'withdraw',
    ])
    const words = all.flatMap(({ options, registeredArguments }) => [
      ...options.map(({ long }) => long ?? ''),
      ...registeredArguments.map((argument) => argument.name()),
    ])
    assert.deepEqual(
      words.filter((word) => /secret|private|password/.test(word)),
      [],
    )
  })

  test('output is coloured only in a terminal, unless the user opts out', () => {
    const sink = { write: () => {}, isTerminal: true, columns: 80, rows: 24 }
    assert.equal(mayColour(sink, {}), true)
    assert.equal(mayColour(sink, { NO_COLOR: '' }), true)
    assert.equal(mayColour(sink, { NO_COLOR: '1' }), false)
    assert.equal(mayColour(sink, { TERM: 'dumb' }), false)
    assert.equal(mayColour({ ...sink, isTerminal: false }, {}), false)
  })

  test('the version of the command is that of package.json', () => {
    const path = new URL('../package.json', import.meta.url)
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    assert.equal(VERSION, manifest.version)
  })
})

describe('the completion of a shell', () => {
  const complete = async (...words: readonly string[]) => {
    const { out: script } = await typed('completion bash')
    const typedWords = words.map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(openvenue ${typedWords}); COMP_CWORD=${words.length}; _openvenue`
    const program = `${script}\n${ask}; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n')
  }

  test('bash completes commands, subcommands, options and choices', async () => {
    assert.deepEqual(await complete('pl'), ['place'])
    assert.deepEqual((await complete('keys', '')).slice(0, 4), ['new', 'list', 'revoke', 'allow'])
    assert.deepEqual(await complete('place', 'ETH-PERP', 'b'), ['buy'])
    assert.deepEqual(await complete('place', '--post'), ['--post-only'])
    assert.deepEqual(await complete('markets', '--type', 'S'), ['SPOT'])
    assert.deepEqual(await complete('--json', 'watch', 'tr'), ['trades', 'transactions'])
  })

  for (const [shell, pattern] of [
    ['zsh', /compdef _openvenue openvenue/],
    ['fish', /complete -c openvenue .+ -a cancel-all -d 'cancel all open orders/],
  ] as const)
    test(`the completion of ${shell} lists every command`, async () => {
      const { out, code } = await typed(`completion ${shell}`)
      assert.equal(code, 0)
      assert.match(out, pattern)
      const { commands } = buildProgram(hostOf().host)
      for (const command of commands) assert.match(out, new RegExp(`\\b${command.name()}\\b`))
    })
})
