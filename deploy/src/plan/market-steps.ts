// Lists the steps for markets, their parameters and withdrawal limits.
import type { Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type {
  Cover,
  DepositCapTerms,
  OutflowTerms,
  PerpTerms,
  SpotTerms,
  VenueTerms,
} from '../config/venue-terms.ts'
import { type Contract, type Contracts, requireContract } from './contracts.ts'
import { CALL_GAS } from './gas.ts'
import { bytes32 } from './names.ts'
import { readPerpParameters } from './perp-limits.ts'
import { callStep, type DeployStep } from './step.ts'

/** Maximum index age of a newly listed market, seconds. */
const NEW_INDEX_AGE = '60'
const NEW_LOSS_BPS = 2_000
/** The default limit, a share of 100 %, which does not limit anything. */
const NO_LIMIT = 'share 10000, small 0'
/** Default cap of a token: 2^96 - 1. */
const NO_CAP = 2n ** 96n - 1n

export const marketSteps = (
  chain: Chain,
  terms: VenueTerms,
  contracts: Contracts,
): readonly DeployStep[] => {
  const spot = requireContract(contracts, 'spot')
  const perps = requireContract(contracts, 'perps')
  return [
    ...terms.spot.flatMap((market, index) => spotSteps({ chain, engine: spot }, market, index + 1)),
    ...terms.perps.flatMap((market, index) =>
      perpSteps({ chain, engine: perps }, market, index + 1),
    ),
    ...terms.depositCaps.map((cap) =>
      depositCapStep({ chain, engine: cap.engine === 'spot' ? spot : perps }, cap),
    ),
    ...terms.outflow.flatMap((limit) =>
      outflowSteps({ chain, engine: limit.engine === 'spot' ? spot : perps }, limit),
    ),
  ]
}

type EngineOnChain = Readonly<{ chain: Chain; engine: Contract }>

const view = ({ chain, engine }: EngineOnChain, functionName: string, args: readonly unknown[]) =>
  chain.read<unknown>({ abi: engine.abi, address: engine.address, functionName, args })

async function isListed(at: EngineOnChain, number: number): Promise<boolean> {
  const count = (await view(at, 'marketCount', [])) as number | undefined
  return (count ?? 0) >= number
}

type MarketListing = Readonly<{ name: string; number: number; args: readonly unknown[] }>

/** Engines number their markets in listing order, so they are listed one by one. */
const listStep = (at: EngineOnChain, { name, number, args }: MarketListing): DeployStep =>
  callStep({
    name: `list ${name}`,
    contract: at.engine,
    functionName: 'list',
    args,
    gas: CALL_GAS.list,
    expected: `market ${number} of ${at.engine.name}`,
    read: async () =>
      (await isListed(at, number)) ? `market ${number} of ${at.engine.name}` : 'not listed',
  })

/** Returns `absent`, the value of a new market, while the market is not listed. */
const readIfListed =
  (at: EngineOnChain, number: number, absent: string, read: () => Promise<string>) => async () =>
    (await isListed(at, number)) ? read() : absent

type Units = Readonly<{ quotePerLotTick: bigint; amountStep: bigint; baseDecimals: number }>
type Bounds = Readonly<{ minOrderValue: bigint; maxOrderValue: bigint }>

const stepsText = (priceStep: bigint, amountStep: bigint) =>
  `price step ${priceStep}, amount step ${amountStep}`

/** The steps of a market are immutable: a difference requires a new market. */
export async function readSteps(at: EngineOnChain, number: number): Promise<string> {
  const units = (await view(at, 'unitsOf', [number])) as Units
  const priceStep = (units.quotePerLotTick * 10n ** BigInt(units.baseDecimals)) / units.amountStep
  return stepsText(priceStep, units.amountStep)
}

export const expectedSteps = ({ priceStep, amountStep }: SpotTerms | PerpTerms) =>
  stepsText(priceStep, amountStep)

const boundsText = ({ minOrderValue, maxOrderValue }: Bounds) =>
  `orders from ${minOrderValue} to ${maxOrderValue}`

function spotSteps(at: EngineOnChain, market: SpotTerms, number: number): readonly DeployStep[] {
  const { name, base, quote, priceStep, amountStep, minOrderValue, maxOrderValue } = market
  const args = [bytes32(name), base, quote, priceStep, amountStep, minOrderValue, maxOrderValue]
  const expected = boundsText(market)
  return [
    listStep(at, { name, number, args }),
    callStep({
      name: `parameters of ${name}`,
      contract: at.engine,
      functionName: 'change',
      args: [number, minOrderValue, maxOrderValue],
      gas: CALL_GAS.parameters,
      expected,
      read: readIfListed(at, number, expected, async () =>
        boundsText((await view(at, 'stateOf', [number])) as Bounds),
      ),
    }),
  ]
}

type FundingView = readonly [
  Readonly<{ indexAgeMax: number; maxLeverage: number }>,
  Readonly<{ impactValue: bigint }>,
]

function perpSteps(at: EngineOnChain, market: PerpTerms, number: number): readonly DeployStep[] {
  const { name, asset, priceStep, amountStep, impactValue, cover, parameters } = market
  const args = [bytes32(name), bytes32(asset), priceStep, amountStep, impactValue, parameters]
  const funding = async () => (await view(at, 'fundingOf', [number])) as FundingView
  const setting = (label: string, functionName: string, value: bigint | number) => ({
    name: `${label} of ${name}`,
    contract: at.engine,
    functionName,
    args: [number, value],
    gas: CALL_GAS.parameters,
    expected: String(value),
  })
  const expected = parametersText(parameters)
  const impact = String(impactValue)
  const newCover = { maxNotional: parameters.maxNotionalValue, lossBps: NEW_LOSS_BPS }
  return [
    listStep(at, { name, number, args }),
    callStep({
      name: `parameters of ${name}`,
      contract: at.engine,
      functionName: 'change',
      args: [number, parameters],
      gas: CALL_GAS.parameters,
      expected,
      read: readIfListed(at, number, expected, async () =>
        parametersText(await readPerpParameters(at.chain, at.engine, number)),
      ),
    }),
    callStep({
      ...setting('impact value', 'setImpactValue', impactValue),
      read: readIfListed(at, number, impact, async () => String((await funding())[1].impactValue)),
    }),
    callStep({
      ...setting('index age', 'setIndexAgeMax', market.indexAgeMaxSeconds),
      read: readIfListed(at, number, NEW_INDEX_AGE, async () =>
        String((await funding())[0].indexAgeMax),
      ),
    }),
    callStep({
      name: `insurance of ${name}`,
      contract: at.engine,
      functionName: 'setCover',
      args: [number, cover.maxNotional, cover.lossBps],
      gas: CALL_GAS.parameters,
      expected: coverText(cover),
      read: readIfListed(at, number, coverText(newCover), async () =>
        coverText((await view(at, 'coverOf', [number])) as Cover),
      ),
    }),
  ]
}

const coverText = ({ maxNotional, lossBps }: Cover) => `at most ${maxNotional}, loss ${lossBps}`

const parametersText = (parameters: Readonly<Record<string, bigint | number>>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

function outflowSteps(
  at: EngineOnChain,
  { symbol, token, shareBps, small }: OutflowTerms,
): readonly DeployStep[] {
  const text = (share: number, amount: bigint) => `share ${share}, small ${amount}`
  const expected = text(shareBps, small)
  const step = callStep({
    name: `outflow of ${symbol} at ${at.engine.name}`,
    contract: at.engine,
    functionName: 'setOutflowLimit',
    args: [token as Hex, shareBps, small],
    gas: CALL_GAS.outflow,
    expected,
    read: async () => {
      const outflow = (await view(at, 'outflowOf', [token])) as
        | readonly [number, bigint, bigint]
        | undefined
      return outflow === undefined ? NO_LIMIT : text(outflow[0], outflow[1])
    },
  })
  return [step]
}

function depositCapStep(
  at: EngineOnChain,
  { symbol, token, total, perAccount }: DepositCapTerms,
): DeployStep {
  const text = (cap: readonly [bigint, bigint]) => `total ${cap[0]}, per account ${cap[1]}`
  return callStep({
    name: `deposit cap of ${symbol} at ${at.engine.name}`,
    contract: at.engine,
    functionName: 'setDepositCap',
    args: [token as Hex, total, perAccount],
    gas: CALL_GAS.depositCap,
    expected: text([total, perAccount]),
    read: async () => {
      const cap = (await view(at, 'depositCapOf', [token])) as readonly [bigint, bigint] | undefined
      return text(cap ?? [NO_CAP, NO_CAP])
    },
  })
}
