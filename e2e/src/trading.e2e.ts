// Runs the lines of docs/TRADING.md literally against a venue; then checks its promises of all
// orders against the chain.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '@openvenue/core/test/until'
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { mint } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { mnemonicToAccount } from 'viem/accounts'
import { createChainClient } from './chain-client.ts'
import { startVenue, type TestVenue } from './venue.ts'

const ROOT = new URL('../..', import.meta.url)
const GUIDE = readFileSync(new URL('docs/TRADING.md', ROOT), 'utf8')
const BOT = [...GUIDE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code).join('\n')
const DEADLINE_MS = 60_000
/** Beyond the delay of the ledger, 10 s. */
const LEDGER_MS_MAX = 60_000
/** Minimum number of the bot's included orders and cancels. */
const INCLUDED_MIN = 8
const MONEY = 100_000n * 10n ** 6n

/** The expected output, line by line. */
const PRINTED = [
  /^pending, by block \d+$/,
  /^opened$/,
  /^edited: 0\.4$/,
  /^batch: (pending|opened) INVALID_PRICE_STEP_SIZE$/,
  /^would fill \d+(\.\d+)?, liquidated at \d+\.\d+$/,
  /^true 0$/,
  /^cancelled: 1$/,
  /^stop: stop_order$/,
  /^parent: filled$/,
  /^take-profit: filled$/,
  /^stop: cancelled$/,
  /^armed: true$/,
  /^socket: (pending )?opened cancelled \/ (pending )?opened cancelled$/,
  /^equity true, maintenance margin \d/,
  /^sub-account 0x[0-9a-fA-F]{40}: 1000 USDC$/,
  /^CANCEL_SIGNATURE_REQUIRED$/,
]

let venue: TestVenue
before(async () => {
  venue = await startVenue()
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.visitors[0] }).address
  const chain = createChainClient(rpcAt(venue.devnet.rpcUrl))
  await chain.send([mint(wallet, venue.devnet.deployment.tokens.USDC, wallet, MONEY)])
})
after(() => venue?.remove())

describe('The bot of docs/TRADING.md', () => {
  test('the bot of docs/TRADING.md deposits, registers a key, trades and prints the documented output', async () => {
    const { apiUrl, rpcUrl } = venue.devnet
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', BOT],
      {
        cwd: ROOT,
        timeout: DEADLINE_MS,
        env: { ...process.env, API_URL: apiUrl, RPC_URL: rpcUrl },
      },
    )
    const lines = stdout.trimEnd().split('\n')
    assert.equal(lines.length, PRINTED.length, stdout)
    for (const [index, line] of lines.entries()) assert.match(line, PRINTED[index] ?? /never/)
  })
})

describe('npm run check-relay', () => {
  test('npm run check-relay finds that every promise to bot and traders was kept', async () => {
    const { apiUrl, rpcUrl } = venue.devnet
    const check = () =>
      promisify(execFile)('npm', ['run', '-s', 'check-relay', '--', apiUrl, '--rpc', rpcUrl], {
        cwd: ROOT,
        timeout: DEADLINE_MS,
      })
    const counts = async () => {
      const { stdout } = await check()
      assert.match(stdout, /^every promise was kept$/m)
      return (label: string) =>
        Number(stdout.match(new RegExp(`^${label}: (\\d+)$`, 'm'))?.[1] ?? 0)
    }
    let count = (_what: string) => 0
    await until(
      () => `${INCLUDED_MIN} are in the ledger: ${count('included')} are`,
      async () => {
        count = await counts()
        return count('included') >= INCLUDED_MIN
      },
      LEDGER_MS_MAX,
    )
    for (const label of ['transactions on the chain', 'receipts verified'])
      assert.ok(count(label) > 0, label)
  })
})
