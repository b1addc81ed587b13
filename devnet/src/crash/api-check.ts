// Compares what the API says of the accounts of the crash with what the contracts say at the same
// block.
import { INSURANCE_ACCOUNT } from '@openvenue/core/positions'
import { formatRaw } from '@openvenue/core/units'
import { registerWallet } from '../registration.ts'
import { ROLES } from '../roles.ts'
import { ACTORS } from './actors.ts'
import type { ChainClient, Holding } from './chain-client.ts'

const KEY_SECONDS = 3600
const DECIMALS = 18
/** An answer's block may be gone from the node's memory when it is asked. */
const TRIES = 5

/** A member of the API's answer that is not what the contracts say. */
export type Difference = Readonly<{ who: string; member: string; api: unknown; chain: string }>

type AccountAnswer = Readonly<{
  equity: string | null
  balance: string
  maintenance_margin: string | null
  liquidatable: boolean | null
}>

/** Asks `/account` for each actor and for insurance, and returns all that differs. */
export async function checkApi(client: ChainClient): Promise<readonly Difference[]> {
  const asked = [...ACTORS, { index: ROLES.insurance, name: 'insurance' }]
  const differences: Difference[] = []
  for (const { index, name } of asked)
    differences.push(...(await checkAccount(client, index, name)))
  return differences
}

async function checkAccount(
  client: ChainClient,
  index: number,
  who: string,
): Promise<Difference[]> {
  const { apiUrl, deployment, domainName } = client.venue
  const { seconds } = await client.head()
  const { apiKey, apiSecret } = await registerWallet({
    apiUrl,
    domainName,
    index,
    chainId: deployment.chainId,
    expirySeconds: seconds + KEY_SECONDS,
  })
  const account = await client.accountOf(index)
  const headers = { 'api-key': apiKey, 'api-secret': apiSecret }
  for (let tries = 1; ; tries++) {
    const response = await fetch(new URL('/account', apiUrl), { headers })
    const block = Number(response.headers.get('x-block-number'))
    if (response.status !== 200) throw new Error(`/account of ${who} answers ${response.status}`)
    const answer = (await response.json()) as AccountAnswer
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

function compareAccount(who: string, answer: AccountAnswer, holding: Holding): Difference[] {
  const { account, collateral, equity, maintenanceMargin } = holding
  const text = (raw: bigint) => formatRaw(raw, DECIMALS)
  // Insurance is closed by deleveraging alone.
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
