// Reads how much of a token a wallet can still deposit. It asks the contracts, not the API: tokens
// sent to an engine without a deposit count towards the cap too, and no key is needed.
import {
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  parseAbi,
} from 'viem'
import { readContract } from '../chain/contract-reads.ts'
import type { ChainRpc } from '../chain/rpc.ts'
import { checkInput, checkValue, inputError, type MemberChecks } from '../input.ts'
import type { Money } from './calls.ts'
import { isChecked } from './checksum.ts'
import { isNode } from './gas.ts'
import type { Address } from './typed-data.ts'
import type { SigningVenue } from './venue.ts'

const ABI = /* @__PURE__ */ parseAbi([
  'function depositCapOf(address token) view returns (uint96 total, uint96 perAccount)',
  'function accountOf(address wallet) view returns (uint40)',
  'function balanceOf(uint40 account, address token) view returns (uint256)',
  'function balanceOf(address holder) view returns (uint256)',
  'function holdingOf(uint40 account) view returns (int128 collateral, uint64 markets, uint40 partlyLiquidatedAt, uint24 sliceClosed)',
])

const CAP_NONE = 2n ** 96n - 1n
/** Accounts 1 and 2 are insurance and fees, to which no cap applies. */
const VENUE_ACCOUNTS = 2
/** Decimals of margin amounts. */
const MARGIN_DECIMALS = 18

/** Remaining deposit room of a wallet under the tighter cap. Raw units of the token. */
export type DepositRoom = Readonly<{
  /** Cap on the total of the engine, or on each account after its deposit. */
  rule: 'engine' | 'account'
  cap: bigint
  /** Amount that the wallet can deposit now; 0 at the cap or above. */
  left: bigint
}>

/** Wallet and token of the deposit. */
export type Deposit = Pick<Money, 'engine' | 'token'> & Readonly<{ wallet: Address }>

const DEPOSIT: MemberChecks<Deposit> = { engine: isChecked, token: isChecked, wallet: isChecked }

/**
 * Returns how much a wallet can deposit now; undefined if no cap applies. An engine that does not
 * accept the token has a cap of 0.
 */
export async function readDepositRoom(
  rpc: ChainRpc,
  venue: SigningVenue,
  deposit: Deposit,
): Promise<DepositRoom | undefined> {
  checkValue('rpc', rpc, isNode)
  checkInput(deposit, DEPOSIT)
  const { engine, token, wallet } = deposit
  const [total, perAccount] = await read(rpc, engine, 'depositCapOf', [token])
  if (total === CAP_NONE && perAccount === CAP_NONE) return undefined
  const account = await read(rpc, venue.accounts, 'accountOf', [wallet])
  if (account > 0 && account <= VENUE_ACCOUNTS) return undefined
  const rooms = await Promise.all([
    total === CAP_NONE ? [] : readTotal(rpc, deposit, total),
    perAccount === CAP_NONE ? [] : readOwn(rpc, venue, { ...deposit, account, cap: perAccount }),
  ])
  return rooms.flat().reduce((a, b) => (b.left <= a.left ? b : a))
}

async function readTotal(
  rpc: ChainRpc,
  { engine, token }: Deposit,
  cap: bigint,
): Promise<DepositRoom> {
  const engineBalance = await read(rpc, token, 'balanceOf', [engine])
  return { rule: 'engine', cap, left: positive(cap - engineBalance) }
}

type OwnDeposit = Deposit & Readonly<{ account: number; cap: bigint }>

async function readOwn(
  rpc: ChainRpc,
  venue: SigningVenue,
  { engine, token, account, cap }: OwnDeposit,
): Promise<DepositRoom> {
  const room = (sum: bigint): DepositRoom => ({ rule: 'account', cap, left: positive(cap - sum) })
  if (account === 0) return room(0n)
  if (engine.toLowerCase() !== venue.contracts.perps)
    return room(await read(rpc, engine, 'balanceOf', [account, token]))
  const { decimals } = tokenAt(venue, token)
  const [collateral] = await read(rpc, engine, 'holdingOf', [account])
  const scale = 10n ** BigInt(MARGIN_DECIMALS - decimals)
  // The contract checks the cap after the deposit, rounded down to whole raw units, debts included.
  return room((collateral - (((collateral % scale) + scale) % scale)) / scale)
}

function tokenAt({ info }: SigningVenue, address: Address): SigningVenue['info']['tokens'][number] {
  const token = info.tokens.find((listed) => listed.address.toLowerCase() === address.toLowerCase())
  if (token !== undefined) return token
  throw inputError(['token', address], 'a token of GET /info')
}

const positive = (raw: bigint): bigint => (raw > 0n ? raw : 0n)

function read<
  const N extends ContractFunctionName<typeof ABI, 'view'>,
  const P extends ContractFunctionArgs<typeof ABI, 'view', N>,
>(rpc: ChainRpc, to: Address, functionName: N, args: P) {
  const call = { address: to, abi: ABI, functionName, args }
  return readContract(rpc, 'latest', call as never) as Promise<
    ContractFunctionReturnType<typeof ABI, 'view', N, P>
  >
}
