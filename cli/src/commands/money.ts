// Commands that move funds by wallet transactions, whose gas the wallet pays.
import { fromRaw, toRaw } from 'openvenue'
import {
  type Address,
  approveCall,
  type Call,
  depositCall,
  depositWithPermitCall,
  type Money,
  readDepositRoom,
  type SigningVenue,
  signPermit,
  withdrawCall,
} from 'openvenue/signing'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Chain, IncludedTx, PermitTerms } from '../chain.ts'
import { words } from '../columns.ts'
import { argument, type CommandInput, type CommandSpec, given, naming, option } from '../command.ts'
import { ChainError, UsageError } from '../exit-codes.ts'
import { parseAddress, parseDecimalText } from '../parse.ts'
import type { Session } from '../session.ts'
import { type DryRunRequest, showPlan } from './order-plan.ts'

const PERMIT_SECONDS = 20 * 60
const MS_PER_SECOND = 1000
const ENGINES = ['perps', 'spot'] as const
type EngineName = (typeof ENGINES)[number]

const SENT = [
  words('step', (tx: IncludedTx) => tx.step),
  words('block_number', (tx: IncludedTx) => tx.block_number, { title: 'block' }),
  words('hash', (tx: IncludedTx) => tx.hash),
]
const AMOUNT = argument('<amount>', 'whole tokens, such as 1000 or 0.25')
const TOKEN = argument('<token>', 'token symbol, such as USDC')

/** Everything needed to move funds. */
type Transfer = Readonly<{
  venue: SigningVenue
  chain: Chain
  wallet: PrivateKeyAccount
  money: Money
  symbol: string
  decimals: number
}>

export const deposit: CommandSpec = {
  name: 'deposit',
  summary: 'deposit tokens from the wallet; the first deposit opens its account',
  args: [AMOUNT, TOKEN],
  options: [
    option('--to <engine>', 'perps for margin, spot for token trading; perps by default', {
      choices: ENGINES,
    }),
  ],
  examples: ['openvenue deposit 1000 USDC --to perps', 'openvenue deposit 0.5 ETH --to spot'],
  changes: true,
  run: async (session, typed) => {
    const engine = (typed.options.to ?? 'perps') as EngineName
    const transfer = await readTransfer(session, typed, engine)
    await requireRoom(transfer, engine)
    await requireTokens(transfer)
    const { chain, wallet, money } = transfer
    const terms = await chain.permitTerms(money.token, wallet.address)
    if (terms !== undefined) return depositByPermit(session, transfer, terms)
    await depositByApproval(session, transfer)
  },
}

export const withdraw: CommandSpec = {
  name: 'withdraw',
  summary: 'withdraw free tokens to the wallet',
  args: [AMOUNT, TOKEN],
  options: [
    option('--from <engine>', 'perps or spot; perps by default', { choices: ENGINES }),
    option('--recipient <address>', 'recipient; the wallet by default', { parse: parseAddress }),
  ],
  examples: ['openvenue withdraw 250 USDC --from perps'],
  changes: true,
  run: async (session, typed) => {
    const engine = (typed.options.from ?? 'perps') as EngineName
    const transfer = await readTransfer(session, typed, engine)
    const { wallet, money } = transfer
    const to = (typed.options.recipient ?? wallet.address) as Address
    await sendAll(session, transfer, [['withdraw', withdrawCall(money, to)]])
  },
}

async function readTransfer(
  session: Session,
  typed: CommandInput,
  engineName: EngineName,
): Promise<Transfer> {
  const amount = naming('amount', parseDecimalText)(given(typed, 0))
  const symbol = given(typed, 1)
  const [venue, wallet] = await Promise.all([session.venue(), session.wallet()])
  await requireOwnAccount(session, wallet.address)
  const engine = venue.contracts[engineName]
  if (engine === undefined) throw new UsageError(`engine ${engineName}: not deployed at this venue`)
  const token = venue.info.tokens.find((candidate) => candidate.symbol === symbol)
  if (token === undefined) {
    const symbols = venue.info.tokens.map((listed) => listed.symbol).join(', ')
    throw new UsageError(`token: got ${symbol}, expected one of ${symbols}`)
  }
  const { decimals } = token
  const money = { engine, token: token.address as Address, amount: toRaw(amount, decimals) }
  if (money.amount === 0n) throw new UsageError(`amount: got ${amount}, expected more than 0`)
  return { venue, chain: await session.chain(), wallet, money, symbol, decimals }
}

/** The wallet's transactions move funds of its own account only: refuses any other account. */
async function requireOwnAccount(session: Session, wallet: Address): Promise<void> {
  const account = await session.account()
  if (account.toLowerCase() !== wallet.toLowerCase())
    throw new UsageError(
      `account: got ${account}, expected ${wallet}: a wallet moves only its own account's funds`,
    )
}

/** Refuses a deposit above a cap, which the contract would revert. */
async function requireRoom(transfer: Transfer, engineName: EngineName): Promise<void> {
  const { chain, venue, wallet, money, symbol, decimals } = transfer
  const { engine, token, amount } = money
  const room = await readDepositRoom(chain.rpc, venue, { engine, token, wallet: wallet.address })
  if (room === undefined || amount <= room.left) return
  if (room.cap === 0n) throw new UsageError(`token: ${engineName} does not accept ${symbol}`)
  const text = (raw: bigint) => `${fromRaw(raw, decimals)} ${symbol}`
  const rule = room.rule === 'account' ? 'per account' : 'in total'
  const most = text(room.left)
  throw new UsageError(
    `amount: got ${text(amount)}, expected at most ${most}: the deposit cap of ${engineName} is ${text(room.cap)} ${rule}`,
  )
}

async function requireTokens({ chain, wallet, money, ...of }: Transfer): Promise<void> {
  const balance = await chain.tokenBalance(money.token, wallet.address)
  if (balance >= money.amount) return
  const { symbol, decimals } = of
  const [has, needs] = [fromRaw(balance, decimals), fromRaw(money.amount, decimals)]
  throw new ChainError(`insufficient balance of ${wallet.address}: ${has} of ${needs} ${symbol}`)
}

/** Deposits with one transaction that includes a signed permit. */
async function depositByPermit(
  session: Session,
  transfer: Transfer,
  { nonce, ...token }: PermitTerms,
): Promise<void> {
  const { wallet, money, chain } = transfer
  const permit = {
    chainId: chain.chainId,
    token: { ...token, address: money.token },
    spender: money.engine,
    value: money.amount,
    nonce,
    deadlineSeconds: Math.floor(Date.now() / MS_PER_SECOND) + PERMIT_SECONDS,
  }
  if (session.isDryRun)
    return showPlan(session, [
      { what: 'signature', to: money.token, body: permit },
      { what: 'transaction', to: money.engine, body: { call: 'depositWithPermit', ...money } },
    ])
  const call = depositWithPermitCall(money, await signPermit(wallet as never, permit))
  await sendAll(session, transfer, [['deposit', call]])
}

async function depositByApproval(session: Session, transfer: Transfer): Promise<void> {
  const { chain, wallet, money } = transfer
  const allowed = await chain.allowance(money.token, wallet.address, money.engine)
  const steps: (readonly [string, Call])[] = [['deposit', depositCall(money)]]
  if (allowed < money.amount) steps.unshift(['approve', approveCall(money)])
  await sendAll(session, transfer, steps)
}

/** Sends calls in sequence, each after the previous one is in a block. */
async function sendAll(
  session: Session,
  { chain, wallet }: Transfer,
  steps: readonly (readonly [string, Call])[],
): Promise<void> {
  if (session.isDryRun) {
    const unsent = steps.map(
      ([step, { to, data }]): DryRunRequest => ({
        what: `transaction: ${step}`,
        to,
        body: { data },
      }),
    )
    return showPlan(session, unsent)
  }
  const transactions: IncludedTx[] = []
  for (const [step, call] of steps) {
    const onHash = (hash: string) =>
      session.output.note(`${step}: sent ${hash}, waiting for inclusion`, 'dim')
    transactions.push(await chain.send(wallet, step, call, onHash))
  }
  session.output.show({ answer: { transactions }, rows: transactions, columns: SENT })
}
