// Gives a visitor of a devnet money and keys, and lets an order bot trade for it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCredentials } from '@openvenue/devnet/bots/credentials'
import type { DevnetDeployment } from '@openvenue/devnet/deployment'
import { fundingTxs } from '@openvenue/devnet/funds'
import { ROLES } from '@openvenue/devnet/roles'
import { rpcAt } from '@openvenue/devnet/rpc'
import { TxSender } from '@openvenue/devnet/tx-sender'
import { type BotOptions, type BotReport, OrderBot } from './order-bot.ts'

type VenueAccess = Readonly<{ apiUrl: string; rpcUrl: string; deployment: DevnetDeployment }>

/** Its account is the first visitor's. */
export async function runOrderBot(
  { apiUrl, rpcUrl, deployment }: VenueAccess,
  options: Omit<BotOptions, 'apiUrl' | 'credentials'>,
): Promise<BotReport> {
  const rpc = rpcAt(rpcUrl)
  const [index] = ROLES.visitors
  const wallet = ((await rpc.call('eth_accounts')) as string[])[index] ?? ''
  await new TxSender(rpc).send(fundingTxs(deployment, wallet))
  const dataDir = mkdtempSync(join(tmpdir(), 'openvenue-bot-'))
  try {
    const credentials = await getCredentials({ apiUrl, dataDir }, index)
    const bot = await OrderBot.open({ ...options, apiUrl, credentials })
    return await bot.run()
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
