// Invalid input at a live API: a command ends with a meaningful exit code and one line, never with
// a stack, and never hangs.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { funded } from '@openvenue/api/test/funded'
import { type TradingSockets, tradingSockets } from '@openvenue/api/test/trading-sockets'
import type { Argument } from 'commander'
import { generatePrivateKey } from 'viem/accounts'
import { type CommandPath, hostOf, places } from '../test/program-host.ts'
import { EXIT } from './exit-codes.ts'
import type { Environment } from './host.ts'
import { run } from './program.ts'

/** Time limit that exceeds any answer time. */
const ENDED_MS_MAX = 60_000
const WRONG = {
  empty: '',
  blank: ' ',
  'no number': 'NaN',
  infinite: 'Infinity',
  negative: '-1',
  'an unknown name': 'NO-SUCH',
  'a wrong checksum': '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'a huge number': '9'.repeat(400),
  'too many digits': `0.${'1'.repeat(200)}`,
  'digits of another script': '٣',
  'text that turns around': 'é😀\u202e',
  'half a character': '\ud800',
  'a zero byte': '\u0000',
  'a path': '../account?a=b#c',
  'an escape': '%2e%2e',
  'a member of every object': '__proto__',
}

const home = mkdtempSync(join(tmpdir(), 'openvenue-cli-'))
let venue: TradingSockets
let env: Environment
before(async () => {
  venue = await tradingSockets(funded('ETH-USDC', 'ETH-PERP'))
  const [url = ''] = venue.urls
  const { key, secret } = await venue.issue('alice')
  const answer = await fetch(`${url}/info`)
  const info = (await answer.json()) as { network: { name: string } }
  env = {
    ...{ OPENVENUE_URL: url, OPENVENUE_NETWORK: info.network.name },
    ...{ OPENVENUE_ACCOUNT: venue.walletOf('alice'), OPENVENUE_API_KEY: key },
    ...{ OPENVENUE_API_SECRET: secret, OPENVENUE_SIGNING_KEY: generatePrivateKey() },
    OPENVENUE_WALLET_KEY: generatePrivateKey(),
  }
})
after(async () => {
  rmSync(home, { recursive: true, force: true })
  await venue?.close()
})

/** Valid values of arguments, and options that end a command which would otherwise run on. */
const GOOD: Readonly<Record<string, string>> = {
  ...{ amount: '1', token: 'USDC', market: 'ETH-PERP', what: 'ticker' },
}
const goodOf = (arg: Argument) => GOOD[arg.name()] ?? arg.argChoices?.[0] ?? 'x'
const END: Readonly<Record<string, readonly string[]>> = { watch: ['--count=1'] }

/** Returns the command lines with the text in each position that takes one. */
function linesWith({ words, command }: CommandPath, text: string): readonly (readonly string[])[] {
  const args = command.registeredArguments
  const more = END[words[0] ?? ''] ?? []
  const good = args.map(goodOf)
  return [
    ...args.map((_, at) => [...good.map((word, other) => (other === at ? text : word)), ...more]),
    ...command.options
      .filter(({ required, optional }) => required || optional)
      .map(({ long }) => [...good, ...more, `${long}=${text}`]),
  ].map((line) => [...words, ...line])
}

for (const [name, text] of Object.entries(WRONG))
  test(`${name} as a value never prints a stack, and a usage error is one line`, async () => {
    for (const path of places(home))
      for (const line of linesWith(path, text)) {
        const { host, said } = hostOf(env, {
          homeDir: home,
          signal: AbortSignal.timeout(ENDED_MS_MAX),
        })
        const code = await run(line, host)
        const description = `${JSON.stringify(line).slice(0, 200)}: ${code} ${said.err.slice(0, 500)}`
        assert.notEqual(code, EXIT.internal, description)
        assert.notEqual(code, EXIT.interrupted, description)
        if (code === EXIT.usage) assert.match(said.err, /^[^\n]+\n$/, description)
      }
  })
