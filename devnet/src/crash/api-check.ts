// Compares the API's answers about the accounts of the crash with the contracts at the same block.
import { INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import { formatRaw } from '@openvenue/core/units'
import { Rest, type shapes } from 'openvenue'
import { registerWallet } from '../registration.ts'
import { ROLES } from '../roles.ts'
import { ACTORS } from './actors.ts'
import type { ChainClient, Holding } from './chain-client.ts'

const KEY_SECONDS = 3600
const DECIMALS = 18
/** Attempts, since the node may have pruned the block of an answer. */
const TRIES = 5

/** A member of the API's answer that differs from the contracts. */
export type Difference = Readonly<{ who: string; member: string; api: unknown; chain: string }>

/** Compares `/account` of each actor and of insurance; returns all differences. */
export async function checkApi(client: ChainClient): Promise<readonly Difference[]> {
  const holders = [...ACTORS, { index: ROLES.insurance, name: 'insurance' }]
  const differences: Difference[] = []
  for (const { index, name } of holders)
    differences.push(...(await checkAccount(client, index, name)))
  return differences
}

async function checkAccount(
  client: ChainClient,
  index: number,
  who: string,
): Promise<Difference[]> {
  const { apiUrl } = client.venue
  const { seconds } = await client.head()
  const { apiKey } = await registerWallet({
    apiUrl,
    index,
    expirySeconds: seconds + KEY_SECONDS,
  })
  const account = await client.accountOf(index)
  const rest = new Rest({ url: apiUrl, apiKey })
  for (let tries = 1; ; tries++) {
    const { body: answer, blockNumber: block = 0 } = await rest.ask('GET /account')
    const holding = await holdingAt(client, account, block).catch((error: unknown) => {
      if (tries === TRIES) throw error
    })
    if (holding !== undefined) return compareAccount(who, answer, holding)
  }
}

async function holdingAt(client: ChainClient, account: number, block: number) {
  const { holdings } = await client.snapshot(block)
  return holdings.find((holding) => holding.account === account)
}

function compareAccount(who: string, answer: shapes.Account, holding: Holding): Difference[] {
  const { account, collateral, equity, maintenanceMargin } = holding
  const text = (raw: bigint) => formatRaw(raw, DECIMALS)
  // Insurance is only closed by deleveraging.
  const isLiquidatable = account !== INSURANCE_ACCOUNT && equity < maintenanceMargin
  const pairs: readonly [member: string, api: unknown, chain: string][] = [
    ['equity', answer.equity, text(equity)],
    ['balance', answer.balance, text(collateral)],
    ['maintenance_margin', answer.maintenance_margin, text(maintenanceMargin)],
    ['liquidatable', String(answer.liquidatable), String(isLiquidatable)],
  ]
  return pairs
    .filter(([, api, chain]) => api !== chain)
    .map(([member, api, chain]) => ({ who, member, api, chain }))
}
