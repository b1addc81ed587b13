// docs/TRADING.md is true: its lines, as they stand, trade at a venue.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
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
const MONEY = 100_000n * 10n ** 6n

/** The output that it must print, line by line. */
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
  test('deposits, registers a key, trades through the API and prints what it says', async () => {
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
