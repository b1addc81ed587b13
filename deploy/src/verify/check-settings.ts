// Compares parameters, markets and limits with venue.json.
import { decodeEventLog, type Hex } from 'viem'
import type { DeploymentRecord } from '../apply/deployment-record.ts'
import { type Chain, mapLimited } from '../chain/chain.ts'
import type { PerpTerms, SpotTerms, VenueTerms } from '../config/venue-terms.ts'
import { byName, type Contract, requireContract } from '../plan/contracts.ts'
import { expectedSteps, readSteps } from '../plan/market-steps.ts'
import { nameText } from '../plan/names.ts'
import type { DeployStep } from '../plan/step.ts'
import { compare, type Difference } from './difference.ts'

type SettingsCheck = Readonly<{
  chain: Chain
  terms: VenueTerms
  record: DeploymentRecord
  contracts: readonly Contract[]
  steps: readonly DeployStep[]
}>

export async function checkSettings(verified: SettingsCheck): Promise<readonly Difference[]> {
  const { terms, contracts, steps } = verified
  const named = byName(contracts)
  const engines = [
    { engine: requireContract(named, 'spot'), markets: terms.spot },
    { engine: requireContract(named, 'perps'), markets: terms.perps },
  ]
  // Owners are checked elsewhere, along with pending offers.
  const settings = steps.filter(({ name }) => !/^(offer|owner) of /.test(name))
  const [stepDifferences, marketDifferences] = await Promise.all([
    mapLimited(settings, async (step) => compare(step.name, await step.read(), step.expected)),
    mapLimited(engines, ({ engine, markets }) => checkMarkets(verified, engine, markets)),
  ])
  const counts = await mapLimited(engines, async ({ engine, markets }) => {
    const count = await readCount(verified, engine)
    return compare(`number of markets of ${engine.name}`, count, markets.length)
  })
  return [...stepDifferences, ...marketDifferences, ...counts].flat()
}

async function checkMarkets(
  verified: SettingsCheck,
  engine: Contract,
  markets: readonly (SpotTerms | PerpTerms)[],
): Promise<readonly Difference[]> {
  const at = { chain: verified.chain, engine }
  const [count, names] = [await readCount(verified, engine), await readNames(verified, engine)]
  // A missing market is reported by the step that lists it.
  const listed = markets.slice(0, count).map((market, index) => ({ market, number: index + 1 }))
  const differences = await mapLimited(listed, async ({ market, number }) => [
    ...compare(`steps of ${market.name}`, await readSteps(at, number), expectedSteps(market)),
    ...(await checkTradedAssets(verified, engine, { market, number })),
    ...compare(
      `name of market ${number} of ${engine.name}`,
      names.get(number) ?? market.name,
      market.name,
    ),
  ])
  return differences.flat()
}

const readCount = async ({ chain }: SettingsCheck, { abi, address }: Contract): Promise<number> =>
  Number((await chain.read<number>({ abi, address, functionName: 'marketCount' })) ?? 0)

/** Compares the traded assets of a market. */
async function checkTradedAssets(
  { chain }: SettingsCheck,
  { abi, address }: Contract,
  { market, number }: Readonly<{ market: SpotTerms | PerpTerms; number: number }>,
): Promise<readonly Difference[]> {
  const read = <T>(functionName: string) =>
    chain.read<T>({ abi, address, functionName, args: [number] })
  if ('asset' in market) {
    const quote = await read<{ asset: Hex }>('quoteOf')
    const asset = quote === undefined ? 'none' : nameText(quote.asset)
    return compare(`asset of ${market.name}`, asset, market.asset)
  }
  const tokens = await read<readonly Hex[]>('tokensOf')
  return compare(`tokens of ${market.name}`, tokens, [market.base, market.quote])
}

type ListedMarket = Readonly<{ market: number; name: Hex }>

/**
 * Returns the names of an engine's markets by number. The chain has them only in logs, of the
 * transactions that listed the markets. A market listed by a proposal is not in the record, and old
 * receipts may be pruned.
 */
async function readNames(
  { chain, record }: SettingsCheck,
  { abi, address }: Contract,
): Promise<ReadonlyMap<number, string>> {
  const receipts = await mapLimited(Object.values(record.markets), (hash) => chain.receipt(hash))
  const logs = receipts
    .flatMap((receipt) => receipt?.logs ?? [])
    .filter((log) => log.address.toLowerCase() === address)
  const listed = logs.flatMap(({ data, topics }) => {
    const { eventName, args } = decodeEventLog({ abi, data, topics })
    return eventName === 'Listed' ? [args as unknown as ListedMarket] : []
  })
  return new Map(listed.map(({ market, name }) => [market, nameText(name)]))
}
