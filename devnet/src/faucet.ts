// Funds a wallet on the running devnet: npm run faucet -- <address>
import { setTimeout as sleep } from 'node:timers/promises'
import { parseConfig } from './config.ts'
import { requireDeployment } from './deployment.ts'
import { grantText, grantTxs } from './grant.ts'
import { ROLES } from './roles.ts'
import { rpcAt } from './rpc.ts'
import { findVenue } from './running-file.ts'
import { TxSender } from './tx-sender.ts'

const INCLUDED_WITHIN_MS = 10_000
const POLL_MS = 100

async function main(): Promise<void> {
  const wallet = process.argv[2] ?? ''
  if (!/^0x[0-9a-fA-F]{40}$/.test(wallet))
    throw new Error('usage: npm run faucet -- <address>, which is 0x and 40 hex digits')
  const { dataDir } = parseConfig(process.env)
  const rpc = rpcAt(findVenue(dataDir).rpcUrl)
  const deployment = requireDeployment(dataDir)
  const wallets = (await rpc.call('eth_accounts')) as string[]
  const sender = new TxSender(rpc)
  const sent = await sender.send(grantTxs(deployment, wallets[ROLES.faucet] ?? '', wallet))
  const hashes = sent.map((result) => {
    if ('refused' in result) throw new Error(`the chain refuses: ${result.refused}`)
    return result.hash
  })
  await included(sender, hashes)
  process.stdout.write(`${wallet} received ${grantText()}\n`)
}

async function included(sender: TxSender, hashes: readonly string[]): Promise<void> {
  const deadline = Date.now() + INCLUDED_WITHIN_MS
  while (Date.now() < deadline) {
    const receipts = await sender.readReceipts(hashes)
    if (receipts.some((receipt) => receipt?.isDone === false)) throw new Error('a grant reverted')
    if (receipts.every((receipt) => receipt !== undefined)) return
    await sleep(POLL_MS)
  }
  throw new Error('the chain makes no blocks: is npm start running?')
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})
