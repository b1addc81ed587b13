// Reads parameters, markets and limits, and holds them against venue.json.
import { decodeEventLog, type Hex } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import { type Chain, inTurns } from '../chain/chain.ts'
import type { PerpTerms, SpotTerms, VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, requireContract } from '../plan/contracts.ts'
import { readSteps, wantedSteps } from '../plan/market-steps.ts'
import { nameText } from '../plan/names.ts'
import type { Step } from '../plan/step.ts'
import { compare, type Difference } from './difference.ts'

type Verified = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
  steps: readonly Step[]
}>

export async function checkSettings(verified: Verified): Promise<readonly Difference[]> {
  const { chain, terms, contracts, steps } = verified
  const known = byName(contracts)
  const engines = [
    { engine: requireContract(known, 'spot'), markets: terms.spot },
    { engine: requireContract(known, 'perps'), markets: terms.perps },
  ]
  // Who owns what is looked at elsewhere, with what is pending.
  const settings = steps.filter(({ name }) => !/^(offer|owner) of /.test(name))
  const [stands, markets] = await Promise.all([
    inTurns(settings, async (step) => compare(step.name, await step.read(), step.wanted)),
    inTurns(engines, ({ engine, markets: wanted }) => checkMarkets(verified, engine, wanted)),
  ])
  const counts = await inTurns(engines, async ({ engine, markets: wanted }) => {
    const { abi, address } = engine
    const count = await chain.read<number>({ abi, address, functionName: 'marketCount' })
    return compare(`number of markets of ${engine.name}`, count, wanted.length)
  })
  return [...stands, ...markets, ...counts].flat()
}

async function checkMarkets(
  verified: Verified,
  engine: Contract,
  markets: readonly (SpotTerms | PerpTerms)[],
): Promise<readonly Difference[]> {
  const at = { chain: verified.chain, engine }
  const numbered = markets.map((market, index) => ({ market, number: index + 1 }))
  const found = await inTurns(numbered, async ({ market, number }) => [
    ...compare(`steps of ${market.name}`, await readSteps(at, number), wantedSteps(market)),
    ...(await checkWhat(verified, engine, { market, number })),
    ...(await checkName(verified, engine, market.name)),
  ])
  return found.flat()
}

type Numbered = Readonly<{ market: SpotTerms | PerpTerms; number: number }>

/** What is traded there. */
async function checkWhat(
  { chain }: Verified,
  { abi, address }: Contract,
  { market, number }: Numbered,
): Promise<readonly Difference[]> {
  const read = <T>(functionName: string) =>
    chain.read<T>({ abi, address, functionName, args: [number] })
  if ('asset' in market) {
    const quote = await read<{ asset: Hex }>('quoteOf')
    const asset = quote === undefined ? 'nothing' : nameText(quote.asset)
    return compare(`asset of ${market.name}`, asset, market.asset)
  }
  const tokens = await read<readonly Hex[]>('tokensOf')
  return compare(`tokens of ${market.name}`, tokens, [market.base, market.quote])
}

/** The chain keeps names in logs alone: that of the transaction which listed the market. */
async function checkName(
  { chain, record }: Verified,
  { abi, address }: Contract,
  name: string,
): Promise<readonly Difference[]> {
  const hash = record.markets[name]
  const receipt = hash === undefined ? undefined : await chain.receipt(hash)
  const listed = (receipt?.logs ?? []).flatMap((log) => {
    if (log.address.toLowerCase() !== address) return []
    const { eventName, args } = decodeEventLog({ abi, data: log.data, topics: log.topics })
    return eventName === 'Listed' ? [nameText((args as unknown as { name: Hex }).name)] : []
  })
  // A market that a proposal listed has no transaction in the record, and old receipts may be gone.
  return listed.flatMap((found) => compare(`name of ${name}`, found, name))
}
