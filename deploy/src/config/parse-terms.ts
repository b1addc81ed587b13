// Converts the content of venue.json to the terms of a venue.
import type { Network } from '@openvenue/core/networks'
import type { Hex } from 'viem'
import type { ConfigFault } from './check-shape.ts'
import { MarketReader } from './market-terms.ts'
import { checkMarketRules } from './rules.ts'
import type { VenueFile } from './venue-schema.ts'
import {
  ANYBODY,
  type DepositCapTerms,
  NO_ADDRESS,
  type OutflowTerms,
  VenueFileInvalid,
  type VenueTerms,
} from './venue-terms.ts'

const SALT_DEFAULT = 'openvenue-1'

/** Returns the terms of `file`, whose shape is valid; throws `VenueFileInvalid`. */
export function parseTerms(file: VenueFile, network: Network): VenueTerms {
  const faults: ConfigFault[] = []
  const tokens = parseTokens(file, network, faults)
  const reader = new MarketReader(tokens, faults)
  const terms: VenueTerms = {
    domainName: file.domainName ?? network.domainName,
    salt: file.salt ?? SALT_DEFAULT,
    tokens,
    collateral: reader.token('collateral', file.collateral).address,
    governance: {
      delaySeconds: file.governance.delaySeconds,
      proposers: file.governance.proposers.map(lower),
      executors: file.governance.executors.map((executor) =>
        executor === 'anybody' ? ANYBODY : lower(executor),
      ),
      cancellers: file.governance.cancellers.map(lower),
    },
    guardian: lower(file.guardian),
    oracle: parseOracle(file, faults),
    spot: file.spot.map((market, index) => reader.spot(market, `spot[${index}]`)),
    perps: file.perpetuals.map((market, index) => reader.perp(market, `perpetuals[${index}]`)),
    outflow: parseOutflow(file, reader),
    depositCaps: parseDepositCaps(file, reader),
  }
  faults.push(...checkNames(file), ...checkMarketRules(terms))
  if (faults.length > 0) throw new VenueFileInvalid(faults, file)
  return terms
}

const lower = (address: string): Hex => address.toLowerCase() as Hex

/** A token that the network defines needs no address. */
function parseTokens(
  file: VenueFile,
  network: Network,
  faults: ConfigFault[],
): VenueTerms['tokens'] {
  const entries = Object.entries(file.tokens).map(([symbol, { address, decimals }]) => {
    const path = `tokens.${symbol}`
    const preset = network.tokens.find((token) => token.symbol === symbol)
    if (address === undefined && preset === undefined)
      faults.push({
        path: `${path}.address`,
        rule: 'missing: the network does not define this token',
      })
    if (preset !== undefined && address === undefined && preset.decimals !== decimals)
      faults.push({
        path: `${path}.decimals`,
        rule: 'the decimals of the token',
        nearest: String(preset.decimals),
      })
    return [symbol, { address: lower(address ?? preset?.address ?? NO_ADDRESS), decimals }] as const
  })
  return Object.fromEntries(entries)
}

function parseOracle(file: VenueFile, faults: ConfigFault[]): VenueTerms['oracle'] {
  const { pusher, pyth, chainlink } = file.oracle
  const needed = { pusher, pyth, chainlink }
  const assets = Object.entries(file.oracle.assets).map(([asset, { source, id, feed }]) => {
    const path = `oracle.assets.${asset}`
    if (!/^[A-Z0-9][A-Z0-9._-]{0,11}$/.test(asset))
      faults.push({ path, rule: 'a name of 1 to 12 capital letters or digits' })
    if (needed[source] === undefined)
      faults.push({ path: `${path}.source`, rule: `a source that oracle.${source} describes` })
    const [member, value] = source === 'pyth' ? ['id', id] : ['feed', feed]
    if (source !== 'pusher' && value === undefined)
      faults.push({ path: `${path}.${member}`, rule: `missing: ${source} needs it` })
    return { asset, source, feed: source === 'pusher' ? undefined : (value as Hex | undefined) }
  })
  return {
    pusher: lower(pusher),
    pyth: pyth === undefined ? undefined : lower(pyth),
    chainlink:
      chainlink === undefined ? undefined : { sequencer: lower(chainlink.sequencer ?? NO_ADDRESS) },
    assets,
  }
}

function parseOutflow(file: VenueFile, reader: MarketReader): OutflowTerms[] {
  const { spot, perpetuals } = file.outflow
  const atSpot = Object.entries(spot).map(([symbol, limit]) =>
    reader.outflow('spot', symbol, { limit, path: `outflow.spot.${symbol}` }),
  )
  if (perpetuals === undefined) return atSpot
  const at = { limit: perpetuals, path: 'outflow.perpetuals' }
  return [...atSpot, reader.outflow('perps', file.collateral, at)]
}

function parseDepositCaps(file: VenueFile, reader: MarketReader): DepositCapTerms[] {
  const { spot = {}, perpetuals } = file.depositCap ?? {}
  const atSpot = Object.entries(spot).map(([symbol, cap]) =>
    reader.depositCap('spot', symbol, { cap, path: `depositCap.spot.${symbol}` }),
  )
  if (perpetuals === undefined) return atSpot
  const at = { cap: perpetuals, path: 'depositCap.perpetuals' }
  return [...atSpot, reader.depositCap('perps', file.collateral, at)]
}

/** Checks that references resolve and names are unique. */
function checkNames(file: VenueFile): ConfigFault[] {
  const assets = Object.keys(file.oracle.assets)
  const unknown = file.perpetuals.flatMap(({ asset }, index) =>
    assets.includes(asset)
      ? []
      : [
          {
            path: `perpetuals[${index}].asset`,
            rule: `one of oracle.assets: ${assets.join(', ')}`,
          },
        ],
  )
  const names = [
    ...file.spot.map(({ name }, index) => ({ name, path: `spot[${index}].name` })),
    ...file.perpetuals.map(({ name }, index) => ({ name, path: `perpetuals[${index}].name` })),
  ]
  const twice = names.filter(({ name }, at) => names.findIndex((other) => other.name === name) < at)
  const traded = new Set(file.spot.flatMap(({ base, quote }) => [base, quote]))
  const untraded = Object.keys(file.outflow.spot).filter((symbol) => !traded.has(symbol))
  const limits = untraded.map((symbol) => ({
    path: `outflow.spot.${symbol}`,
    rule: 'a token that a spot market trades',
    got: `"${symbol}"`,
  }))
  return [
    ...unknown,
    ...limits,
    ...twice.map(({ path }) => ({ path, rule: 'a name that no other market uses' })),
  ]
}
