// Deposits money in two calls, or in one request if the wallet supports batches. Progress is
// stored: after a reload the chain is checked, and the wallet is asked only for the rest.
import {
  type Address,
  approveCall,
  depositCall,
  type Hex,
  type Money,
  type SigningVenue,
} from 'openvenue/signing'
import { numberToHex } from 'viem'
import type { MoneyForm } from '../../account/account-protocol.ts'
import type { UnfinishedDeposit } from '../../session/worker/saved-account.ts'
import type { Task } from '../../session/worker/steps.ts'
import type { TxLog } from '../../session/worker/tx-log.ts'
import { nextBlock, type Request, settled, wordOfAddress } from '../../wallet/worker/chain-rpc.ts'
import type { Wallet } from '../../wallet/worker/wallet.ts'
import { REFUSED, WalletError } from '../../wallet/worker/wallet-relay.ts'
import * as text from '../text.ts'
import { mainLine, moneyWords, readMoney } from './money.ts'
import { requireDepositRoom } from './money-check.ts'

/** keccak256 of Transfer(address,address,uint256) and the selector of allowance. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const ALLOWANCE = '0xdd62ed3e'

type DepositParts = Readonly<{
  venue: SigningVenue
  wallet: Wallet
  form: MoneyForm
  txs: TxLog
  begun: () => UnfinishedDeposit | undefined
  save: (begun: UnfinishedDeposit | undefined) => Promise<void>
}>

export async function depositTasks(parts: DepositParts): Promise<Task[]> {
  const { venue, wallet, form } = parts
  const money = readMoney(venue, form)
  const typed = `${form.amount} ${form.symbol}`
  if (await wallet.canBatch())
    return [[text.approveAndDeposit(typed), unlessRefused(parts, depositBoth(parts, money))]]
  return [
    [text.approveMoney(typed), unlessRefused(parts, () => approveOnce(parts, money))],
    [text.depositMoney(typed), unlessRefused(parts, () => depositOnce(parts, money))],
  ]
}

/** Clears the stored deposit if the wallet rejects it; other failures keep it. */
const unlessRefused =
  ({ save }: DepositParts, work: () => Promise<void>) =>
  async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (error instanceof WalletError && error.code === REFUSED) await save(undefined)
      throw error
    }
  }

async function approveOnce(parts: DepositParts, money: Money): Promise<void> {
  const { venue, wallet, txs } = parts
  if (await begin(parts, money)) return
  if ((await allowance(wallet, money)) >= money.amount) return
  const words = moneyWords('approve', venue, money)
  await txs.follow(words.title, wallet, () => wallet.send(approveCall(money), words))
}

async function depositOnce(parts: DepositParts, money: Money): Promise<void> {
  const { venue, wallet, txs, save } = parts
  if (!(await begin(parts, money))) {
    const words = moneyWords('deposit', venue, money, { lines: [mainLine(wallet.address)] })
    await txs.follow(words.title, wallet, () => wallet.send(depositCall(money), words))
  }
  await save(undefined)
}

/** Sends both calls as one wallet request, or only the deposit if the allowance suffices. */
const depositBoth = (parts: DepositParts, money: Money) => async (): Promise<void> => {
  const { venue, wallet, txs, save } = parts
  if ((await allowance(wallet, money)) >= money.amount) return depositOnce(parts, money)
  if (!(await begin(parts, money))) {
    const lines = [mainLine(wallet.address)]
    const words = moneyWords('approveAndDeposit', venue, money, { lines })
    const calls = [approveCall(money), depositCall(money)]
    await txs.follow(words.title, wallet, () => wallet.sendBatch(calls, words))
  }
  await save(undefined)
}

/** Stores that the deposit has begun; true if it had begun before and is on the chain already. */
async function begin(parts: DepositParts, money: Money): Promise<boolean> {
  const { venue, wallet, form, begun, save } = parts
  const before = begun()
  if (before !== undefined && isSame(before.asked, form)) {
    await settled(wallet.request, wallet.address)
    return isDeposited(wallet, money, before.fromBlock)
  }
  const { request, address } = wallet
  await requireDepositRoom({ venue, request, address }, form)
  await save({ asked: form, fromBlock: await nextBlock(wallet.request) })
  return false
}

const isSame = (a: MoneyForm, b: MoneyForm): boolean =>
  a.engine === b.engine && a.symbol === b.symbol && a.amount === b.amount

/** Returns true if the amount has moved from the wallet to the engine since a block. */
async function isDeposited(
  { request, address }: Pick<Wallet, 'request' | 'address'>,
  { engine, token, amount }: Money,
  fromBlock: number,
): Promise<boolean> {
  const topics = [TRANSFER, `0x${wordOfAddress(address)}`, `0x${wordOfAddress(engine)}`]
  const range = { fromBlock: numberToHex(fromBlock), toBlock: 'latest' }
  const logs = (await request('eth_getLogs', [{ address: token, topics, ...range }])) as Logs
  return logs.some(({ data }) => BigInt(data) === amount)
}

type Logs = readonly Readonly<{ data: Hex }>[]

async function allowance(wallet: Wallet, { engine, token }: Money): Promise<bigint> {
  const data = `${ALLOWANCE}${wordOfAddress(wallet.address)}${wordOfAddress(engine)}`
  return readNumber(wallet.request, token, data as Hex)
}

const readNumber = async (request: Request, to: Address, data: Hex): Promise<bigint> =>
  BigInt((await request('eth_call', [{ to, data }, 'latest'])) as Hex)
