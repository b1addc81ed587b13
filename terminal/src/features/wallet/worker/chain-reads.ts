// Reads the venue's contracts at one block. Public data needs no key and no API.
import type { Address } from 'openvenue/signing'
import {
  type Abi,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem'
import * as text from '../text.ts'
import type { Request } from './chain-rpc.ts'

export const ACCOUNTS = parseAbi([
  'function accountOf(address wallet) view returns (uint40)',
  'function ownerOf(uint40 account) view returns (address)',
])

export const LENS = parseAbi([
  'struct PerpAccount { int256 collateral; int256 equity; uint256 initialMargin; uint256 maintenanceMargin; uint256 available; uint256 withdrawable; }',
  'struct Position { int64 lots; int128 quote; uint16 leverage; uint40 frozenUntil; int128 fundingIndex; uint64 bidLots; uint64 askLots; }',
  'struct RestingOrder { uint40 order; uint40 account; uint24 tick; uint64 lots; uint40 goodTil; }',
  'function perpAccount(address engine, uint40 account) view returns (PerpAccount)',
  'function positions(address engine, uint40[] accounts, uint32[] markets) view returns (Position[][])',
  'function spotBalances(address engine, uint40[] accounts, address[] tokens) view returns (uint256[][])',
  'function books(address engine, uint32 market, uint256 ordersMax) view returns (RestingOrder[] bids, RestingOrder[] asks)',
])

export type PerpAccount = Readonly<{
  collateral: bigint
  equity: bigint
  initialMargin: bigint
  maintenanceMargin: bigint
  available: bigint
  withdrawable: bigint
}>
export type ContractPosition = Readonly<{ lots: bigint; quote: bigint }>
export type ContractOrder = Readonly<{
  order: number
  account: number
  tick: number
  lots: bigint
  goodTil: number
}>

export type ReadContract = <Result>(
  to: string,
  abi: Abi,
  call: readonly [functionName: string, args: readonly unknown[]],
) => Promise<Result>

/** Returns a reader pinned to the newest block, and that block. */
export async function readAtHead(
  request: Request,
): Promise<Readonly<{ read: ReadContract; block: Hex }>> {
  const block = (await request('eth_blockNumber', [])) as Hex
  const read: ReadContract = async (to, abi, [functionName, args]) => {
    const data = encodeFunctionData({ abi, functionName, args })
    const answer = (await request('eth_call', [{ to, data }, block])) as Hex
    if (answer === '0x') throw new Error(text.noContract(to))
    return decodeFunctionResult({ abi, functionName, data: answer }) as never
  }
  return { read, block }
}

/** Returns the address of the sub-account that a wallet opens under an index. */
export function subAddress(accounts: string, owner: string, index: number): Address {
  const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint32' }] as const
  const hash = keccak256(encodeAbiParameters(types, [accounts as Hex, owner as Hex, index]))
  return `0x${hash.slice(-40)}`
}
