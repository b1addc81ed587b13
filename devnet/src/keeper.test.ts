import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pushOracleAbi } from '@openvenue/contracts/abi/push-oracle'
import { until } from '@openvenue/core/test/until'
import { readViews } from '@openvenue/runtime/views'
import { pino } from 'pino'
import { parseConfig } from './config.ts'
import { bytes32 } from './deploy.ts'
import { createDevnet, type Devnet } from './devnet.ts'
import { ASSETS } from './markets.ts'
import { ROLES } from './roles.ts'
import { rpcAt } from './rpc.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-keeping-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const start = (more: Readonly<Record<string, string>> = {}) =>
  createDevnet(
    parseConfig({
      DATA_DIR: dataDir,
      TRADERS: 'off',
      HISTORY_HOURS: '0',
      PORT: '0',
      ANVIL_PORT: '0',
      INDEXER_PORT: '0',
      INTEGRATED_PORT: '0',
      KEEPER_PORT: '0',
      ...more,
    }),
    pino({ level: 'silent' }),
  )

test('the keeper of a devnet leads with its own wallet and pushes every price, also after a restart', async () => {
  const first = await start()
  const [address, pushed] = [(await readiness(first)).address, await secondsOfPrices(first)]
  assert.equal(address.toLowerCase(), first.wallets[ROLES.keeper]?.toLowerCase())
  await untilPushed(first, pushed)
  await first.stop()
  const second = await start()
  const stood = await secondsOfPrices(second)
  await untilPushed(second, stood)
  await second.stop()
})

test('KEEPER_PRICES=off leaves the prices of a devnet to other pushers', async () => {
  const devnet = await start({ KEEPER_PRICES: 'off' })
  await until('the keeper leads', async () => (await readiness(devnet)).status === 'leading')
  const stood = await secondsOfPrices(devnet)
  const text = await (await fetch(`${devnet.keeperUrl}/metrics`)).text()
  assert.match(text, /runs_total\{task="prices"\} 0\n/)
  await until('the keeper has poked twice', async () =>
    (await (await fetch(`${devnet.keeperUrl}/metrics`)).text()).includes(
      'runs_total{task="pokes"} 2\n',
    ),
  )
  assert.deepEqual(await secondsOfPrices(devnet), stood)
  await devnet.stop()
})

const readiness = async ({ keeperUrl }: Devnet) =>
  (await (await fetch(`${keeperUrl}/ready`)).json()) as { status: string; address: string }

const untilPushed = (devnet: Devnet, pushed: readonly number[]) =>
  until('every price is pushed', async () =>
    (await secondsOfPrices(devnet)).every((at, n) => at > (pushed[n] ?? 0)),
  )

async function secondsOfPrices({ rpcUrl, deployment }: Devnet): Promise<number[]> {
  const read = { to: deployment.oracles[0], abi: pushOracleAbi, functionName: 'read' }
  const values = await readViews(
    rpcAt(rpcUrl),
    ASSETS.map(({ asset }) => ({ ...read, args: [bytes32(asset)] })),
  )
  return (values as [bigint, bigint][]).map(([, seconds]) => Number(seconds))
}
