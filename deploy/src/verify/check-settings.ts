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
  const { terms, contracts, steps } = verified
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
    const count = await readCount(verified, engine)
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
  const [count, names] = [await readCount(verified, engine), await readNames(verified, engine)]
  // One that is not listed yet is found as the step that lists it.
  const listed = markets.slice(0, count).map((market, index) => ({ market, number: index + 1 }))
  const found = await inTurns(listed, async ({ market, number }) => [
    ...compare(`steps of ${market.name}`, await readSteps(at, number), wantedSteps(market)),
    ...(await checkWhat(verified, engine, { market, number })),
    ...compare(
      `name of market ${number} of ${engine.name}`,
      names.get(number) ?? market.name,
      market.name,
    ),
  ])
  return found.flat()
}

const readCount = async ({ chain }: Verified, { abi, address }: Contract): Promise<number> =>
  Number((await chain.read<number>({ abi, address, functionName: 'marketCount' })) ?? 0)

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

type Listed = Readonly<{ market: number; name: Hex }>

/**
 * Returns the names of an engine's markets by their numbers. The chain keeps them in logs alone:
 * those of the transactions that listed the markets. One that a proposal listed has none in the
 * record, and old receipts may be gone.
 */
async function readNames(
  { chain, record }: Verified,
  { abi, address }: Contract,
): Promise<ReadonlyMap<number, string>> {
  const receipts = await inTurns(Object.values(record.markets), (hash) => chain.receipt(hash))
  const logs = receipts
    .flatMap((receipt) => receipt?.logs ?? [])
    .filter((log) => log.address.toLowerCase() === address)
  const listed = logs.flatMap(({ data, topics }) => {
    const { eventName, args } = decodeEventLog({ abi, data, topics })
    return eventName === 'Listed' ? [args as unknown as Listed] : []
  })
  return new Map(listed.map(({ market, name }) => [market, nameText(name)]))
}
