// Commands that move money: the wallet sends them to the chain itself, and pays for them.
import { fromRaw, toRaw } from 'openvenue'
import {
  type Address,
  approveCall,
  type Call,
  depositCall,
  depositWithPermitCall,
  type Money,
  type SigningVenue,
  signPermit,
  withdrawCall,
} from 'openvenue/signing'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Chain, PermitTerms, Sent } from '../chain.ts'
import { words } from '../columns.ts'
import { argument, type CommandSpec, given, option, type Typed } from '../command.ts'
import { ChainError, UsageError } from '../exit-codes.ts'
import { parseAddress, parseDecimalText } from '../parse.ts'
import type { Session } from '../session.ts'
import { showPlan, type Unsent } from './order-plan.ts'

const PERMIT_SECONDS = 20 * 60
const MS_PER_SECOND = 1000
const ENGINES = ['perps', 'spot'] as const
type EngineName = (typeof ENGINES)[number]

const SENT = [
  words('step', (one: Sent) => one.step),
  words('block_number', (one: Sent) => one.block_number, { title: 'block' }),
  words('hash', (one: Sent) => one.hash),
]
const AMOUNT = argument('<amount>', 'in whole tokens, such as 1000 or 0.25')
const TOKEN = argument('<token>', 'its symbol, such as USDC')

/** Everything that a transfer of money needs to know. */
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
  summary: 'bring tokens from the wallet to its account; the first deposit opens it',
  args: [AMOUNT, TOKEN],
  options: [
    option('--to <engine>', 'perps: margin; spot: to trade tokens with; perps by default', {
      choices: ENGINES,
    }),
  ],
  examples: ['openvenue deposit 1000 USDC --to perps', 'openvenue deposit 0.5 ETH --to spot'],
  changes: true,
  run: async (session, typed) => {
    const engine = (typed.options.to ?? 'perps') as EngineName
    const transfer = await readTransfer(session, typed, engine)
    await requireTokens(transfer)
    const { chain, wallet, money } = transfer
    const terms = await chain.permitTerms(money.token, wallet.address)
    if (terms !== undefined) return depositByPermit(session, transfer, terms)
    await depositByApproval(session, transfer)
  },
}

export const withdraw: CommandSpec = {
  name: 'withdraw',
  summary: 'take free money out of the account, to its wallet',
  args: [AMOUNT, TOKEN],
  options: [
    option('--from <engine>', 'perps or spot; perps by default', { choices: ENGINES }),
    option('--recipient <address>', 'who gets it; the wallet by default', { parse: parseAddress }),
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
  typed: Typed,
  engineName: EngineName,
): Promise<Transfer> {
  const amount = parseDecimalText(given(typed, 0))
  const symbol = given(typed, 1)
  const [venue, wallet] = await Promise.all([session.venue(), session.wallet()])
  await requireOwnAccount(session, wallet.address)
  const engine = venue.contracts[engineName]
  if (engine === undefined) throw new UsageError(`this venue has no engine ${engineName}`)
  const token = venue.info.tokens.find((one) => one.symbol === symbol)
  if (token === undefined) {
    const symbols = venue.info.tokens.map((one) => one.symbol).join(', ')
    throw new UsageError(`there is no token ${symbol}, but ${symbols}`)
  }
  const { decimals } = token
  const money = { engine, token: token.address as Address, amount: toRaw(amount, decimals) }
  if (money.amount === 0n) throw new UsageError('the amount is above zero')
  return { venue, chain: await session.chain(), wallet, money, symbol, decimals }
}

/** The wallet's calls are for its own account: of another one they would surprise. */
async function requireOwnAccount(session: Session, wallet: Address): Promise<void> {
  const account = await session.account()
  if (account.toLowerCase() !== wallet.toLowerCase())
    throw new UsageError(
      `the wallet is ${wallet}, and the account ${account}: only its own wallet moves its money`,
    )
}

async function requireTokens({ chain, wallet, money, ...of }: Transfer): Promise<void> {
  const found = await chain.tokenBalance(money.token, wallet.address)
  if (found >= money.amount) return
  const { symbol, decimals } = of
  const [has, needs] = [fromRaw(found, decimals), fromRaw(money.amount, decimals)]
  throw new ChainError(`${wallet.address} has ${has} ${symbol}, and not ${needs}`)
}

/** One transaction: what the wallet allows is signed, and goes with the deposit. */
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

/** Sends calls one after the other, each once the one before is in a block. */
async function sendAll(
  session: Session,
  { chain, wallet }: Transfer,
  steps: readonly (readonly [string, Call])[],
): Promise<void> {
  if (session.isDryRun) {
    const unsent = steps.map(
      ([what, { to, data }]): Unsent => ({ what: `transaction: ${what}`, to, body: { data } }),
    )
    return showPlan(session, unsent)
  }
  const transactions: Sent[] = []
  for (const [step, call] of steps) {
    const onHash = (hash: string) =>
      session.output.note(`${step}: sent, waiting for the block of ${hash}`, 'dim')
    transactions.push(await chain.send(wallet, step, call, onHash))
  }
  session.output.show({ answer: { transactions }, rows: transactions, columns: SENT })
}
