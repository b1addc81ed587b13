// Reads and writes the deployment file, from which every service gets the contract addresses.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AmmDeployment } from './amm/pools.ts'
import type { TokenSymbol } from './markets.ts'
import type { ChainRpc } from './rpc.ts'

/** Addresses are lower-case hex. The indexer reads the same file and ignores other fields. */
export type DevnetDeployment = Readonly<{
  chainId: number
  accounts: string
  oracles: readonly [string]
  spot: string
  perps: string
  lens: string
  tokens: Readonly<Record<TokenSymbol, string>>
  /** The first block with a contract of the venue. */
  startBlock: number
}>

/** The venue and the pools beside it. */
export type WholeDeployment = DevnetDeployment & AmmDeployment

/** Hash of the contract sources that this version deploys, which is also in the file. */
const CONTRACTS: string = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@openvenue/contracts/abi/sources.json')), 'utf8'),
).sha256

const deploymentPath = (dataDir: string) => join(dataDir, 'deployment.json')

export function writeDeployment(dataDir: string, deployment: WholeDeployment): void {
  const path = deploymentPath(dataDir)
  writeFileSync(
    `${path}.next`,
    `${JSON.stringify({ ...deployment, contracts: CONTRACTS }, null, 2)}\n`,
  )
  renameSync(`${path}.next`, path)
}

/**
 * Returns the deployment in `dataDir`; undefined when there is none. Throws when its contracts are
 * of another version, which this one cannot read.
 */
export function readDeployment(dataDir: string): WholeDeployment | undefined {
  try {
    const read = JSON.parse(readFileSync(deploymentPath(dataDir), 'utf8'))
    const { contracts, ...deployment } = read as WholeDeployment & { contracts?: string }
    if (contracts === CONTRACTS) return deployment
    throw new Error(`${dataDir} holds contracts of another version: delete it to start over`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Throws when there is no deployment; see `readDeployment`. */
export function requireDeployment(dataDir: string): WholeDeployment {
  const deployment = readDeployment(dataDir)
  if (deployment === undefined) throw new Error(`${dataDir} holds no venue: run npm start first`)
  return deployment
}

/** Returns whether every contract of `deployment` has code on the chain. */
export async function isDeployed(rpc: ChainRpc, deployment: WholeDeployment): Promise<boolean> {
  const { accounts, oracles, spot, perps, lens, tokens } = deployment
  const { v2Factories, v3Factories, v2Router, v3Router, positionManager } = deployment
  // A file of an older version has no pools: its chain does not match this version.
  if (v2Factories === undefined) return false
  const addresses = [
    accounts,
    ...oracles,
    spot,
    perps,
    lens,
    ...Object.values(tokens),
    ...v2Factories,
    ...v3Factories,
    v2Router,
    v3Router,
    positionManager,
  ]
  const codes = await Promise.all(
    addresses.map((address) => rpc.call('eth_getCode', address, 'latest')),
  )
  return codes.every((code) => typeof code === 'string' && code.length > 2)
}

/** Returns the number of a market at its engine: engines number theirs from 1 in listing order. */
export const marketNumber = <T extends { name: string; type: string }>(
  markets: readonly T[],
  market: T,
) => markets.filter(({ type }) => type === market.type).indexOf(market) + 1

/** Returns the number in the id of a market: its last four bytes. */
export const numberInId = (id: string) => Number.parseInt(id.slice(-8), 16)
