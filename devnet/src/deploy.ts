// Deploys the venue on a new chain.
import { accountsAbi, accountsBytecode } from '@openvenue/contracts/abi/accounts'
import { devTokenAbi, devTokenBytecode } from '@openvenue/contracts/abi/dev-token'
import { lensAbi, lensBytecode } from '@openvenue/contracts/abi/lens'
import { liquidationAbi, liquidationBytecode } from '@openvenue/contracts/abi/liquidation'
import { marksAbi, marksBytecode } from '@openvenue/contracts/abi/marks'
import { perpsAbi, perpsBytecode } from '@openvenue/contracts/abi/perps'
import { perpsAdminAbi, perpsAdminBytecode } from '@openvenue/contracts/abi/perps-admin'
import { pushOracleAbi, pushOracleBytecode } from '@openvenue/contracts/abi/push-oracle'
import { spotAbi, spotBytecode } from '@openvenue/contracts/abi/spot'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, stringToHex } from 'viem'
import { DEVNET_CHAIN_ID } from './anvil.ts'
import type { Chain } from './chain.ts'
import { Deployer } from './deployer.ts'
import type { DevnetDeployment } from './deployment.ts'
import { grantAmount } from './grant.ts'
import {
  MARKETS,
  type MarketTerms,
  type PerpTerms,
  type SpotTerms,
  TOKENS,
  type TokenSymbol,
} from './markets.ts'
import { ROLES } from './roles.ts'

/** Creating the largest contract takes about a fifth of it. */
const GAS = 30_000_000

/**
 * Share of an engine's tokens that may be withdrawn per hour; each account may withdraw the
 * faucet's grant in addition.
 */
const OUTFLOW_SHARE_BPS = 5_000

type DeployOptions = Readonly<{
  chain: Chain
  /** Addresses of the mnemonic, by index. */
  wallets: readonly string[]
  /** Name of the typed-data domain of Register and SignKey. */
  domainName: string
  /** Time of the blocks, Unix seconds. */
  seconds: number
  /** The markets to list; absent: `MARKETS`. */
  markets?: readonly MarketTerms[]
}>

/**
 * Deploys the contracts and lists the markets. The owner must not have sent transactions before.
 */
export async function deploy(options: DeployOptions): Promise<DevnetDeployment> {
  const { chain, wallets, domainName, seconds, markets = MARKETS } = options
  const wallet = (index: number) => wallets[index] as Hex
  const [owner, guardian] = [wallet(ROLES.owner), wallet(ROLES.guardian)]
  const deployer = new Deployer(chain, seconds)
  const create = (codes: readonly Hex[]) => deployer.create({ from: owner, codes, gas: GAS })
  const startBlock = Number(await chain.rpc.call('eth_blockNumber')) + 1

  const tokens = await create(
    TOKENS.map(({ symbol, name, decimals }) =>
      creation(devTokenAbi, devTokenBytecode, [name, symbol, decimals]),
    ),
  )
  const tokenAddresses = Object.fromEntries(
    TOKENS.map(({ symbol }, index) => [symbol, tokens[index] as Hex]),
  ) as Record<(typeof TOKENS)[number]['symbol'], Hex>
  const [accounts, oracle] = (await create([
    creation(accountsAbi, accountsBytecode, [
      wallet(ROLES.insurance),
      wallet(ROLES.fees),
      domainName,
    ]),
    creation(pushOracleAbi, pushOracleBytecode, [owner, wallet(ROLES.keeper)]),
  ])) as [Hex, Hex]
  const [spot, marks, lens] = (await create([
    creation(spotAbi, spotBytecode, [accounts, owner]),
    creation(marksAbi, marksBytecode, [accounts, oracle, tokenAddresses.USDC]),
    creation(lensAbi, lensBytecode, []),
  ])) as [Hex, Hex, Hex]
  const liquidation = await create([creation(liquidationAbi, liquidationBytecode, [marks])])
  const admin = await create([creation(perpsAdminAbi, perpsAdminBytecode, [liquidation[0]])])
  const [perps] = (await create([creation(perpsAbi, perpsBytecode, [admin[0], owner])])) as [Hex]
  const listings = markets.map((market) =>
    market.type === 'spot'
      ? { to: spot, data: listSpot(market, tokenAddresses) }
      : { to: perps, data: listPerp(market) },
  )
  const guards = guardCalls({ oracle, spot, perps }, { markets, tokenAddresses, guardian })
  await deployer.send([...listings, ...guards].map((call) => ({ from: owner, gas: GAS, ...call })))
  return {
    chainId: DEVNET_CHAIN_ID,
    accounts,
    oracles: [oracle],
    spot,
    perps,
    lens,
    tokens: tokenAddresses,
    startBlock,
  }
}

const creation = (abi: Abi, bytecode: Hex, args: readonly unknown[]): Hex =>
  encodeDeployData({ abi, bytecode, args })

type GuardedContracts = Readonly<{ oracle: Hex; spot: Hex; perps: Hex }>
type Guards = Readonly<{
  markets: readonly MarketTerms[]
  tokenAddresses: Readonly<Record<TokenSymbol, Hex>>
  guardian: Hex
}>

/** Sets the guardian, and limits the outflow of each listed token. */
function guardCalls(guarded: GuardedContracts, { markets, tokenAddresses, guardian }: Guards) {
  const { oracle, spot, perps } = guarded
  const name = { functionName: 'setGuardian', args: [guardian] } as const
  const limit = (symbol: TokenSymbol) =>
    encodeFunctionData({
      abi: spotAbi,
      functionName: 'setOutflowLimit',
      args: [tokenAddresses[symbol], OUTFLOW_SHARE_BPS, grantAmount(symbol)],
    })
  const traded = markets.flatMap((market) =>
    market.type === 'spot' ? [market.base, market.quote] : [],
  )
  return [
    { to: oracle, data: encodeFunctionData({ abi: pushOracleAbi, ...name }) },
    { to: spot, data: encodeFunctionData({ abi: spotAbi, ...name }) },
    { to: perps, data: encodeFunctionData({ abi: perpsAbi, ...name }) },
    ...[...new Set(traded)].map((symbol) => ({ to: spot, data: limit(symbol) })),
    { to: perps, data: limit('USDC') },
  ]
}

/** Names on the chain are left-aligned ASCII. */
export const bytes32 = (text: string) => stringToHex(text, { size: 32 })

const listSpot = (market: SpotTerms, tokenAddresses: Readonly<Record<string, Hex>>) =>
  encodeFunctionData({
    abi: spotAbi,
    functionName: 'list',
    args: [
      bytes32(market.name),
      tokenAddresses[market.base] as Hex,
      tokenAddresses[market.quote] as Hex,
      market.priceStep,
      market.amountStep,
      market.minOrderValue,
      market.maxOrderValue,
    ],
  })

const listPerp = ({ name, asset, priceStep, amountStep, impactValue, parameters }: PerpTerms) =>
  encodeFunctionData({
    abi: perpsAbi,
    functionName: 'list',
    args: [bytes32(name), bytes32(asset), priceStep, amountStep, impactValue, parameters],
  })
