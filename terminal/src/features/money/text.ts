// Texts of deposits and withdrawals.

// Form
export const title = 'Deposit or withdraw'
export const usesMain =
  '▲ Deposits and withdrawals use Main. To move margin of a sub-account, open Sub-accounts.'
export const engine = 'To'
export const perpetuals = 'Perps account'
export const spot = 'Spot account'
export const token = 'Token'
export const amount = 'Amount'
export const deposit = 'Deposit'
export const depositToMain = 'Deposit to Main'
export const withdraw = 'Withdraw'
export const withdrawFromMain = 'Withdraw from Main'
export const walletBalance = 'Wallet balance'
export const leftUnderCap = 'Left under the cap'
export const withdrawable = 'Withdrawable'
export const useAmount = (name: string, balance: string, most: string) =>
  `${name}, ${balance}: use ${most}`
export const cannotDeposit = (reason: string) => `▲ Cannot deposit: ${reason}.`
export const cannotWithdraw = (reason: string) => `▲ Cannot withdraw: ${reason}.`

// Problems of an amount
export const notAnAmount = (typed: string) => `"${typed}" is not an amount such as 1000.5`
export const tooManyDecimals = (symbol: string, allowed: number, digits: number) =>
  `${symbol} has ${allowed} decimals: the amount has ${digits}`
export const amountZero = 'the amount must be above 0'
export const walletHas = (balance: string) => `the wallet has ${balance}`
export const withdrawableAmount = (balance: string) => `${balance} withdrawable`

// Limits of the venue
const capText = (cap: string, isPerAccount: boolean) =>
  cap === '' ? 'closed' : `capped at ${cap} ${isPerAccount ? 'per account' : 'in total'}`
export const depositCap = (cap: string, isPerAccount: boolean) =>
  `Deposits are ${capText(cap, isPerAccount)}.`
export const depositsClosed = 'deposits are closed'
export const depositCapExceeded = (cap: string, isPerAccount: boolean, left: string) =>
  `deposits are ${capText(cap, isPerAccount)}: ${left === '' ? 'no more' : `at most ${left} more`} can be deposited`
export const withdrawalLimit = (most: string) =>
  `the limit is ${most} now: it refills within an hour`
export const outflowLimit = (percent: string, most: string) =>
  `At most ${percent} % of the venue's holdings can be withdrawn at once: ${most} now. The limit refills within an hour.`

// Wallet transactions
export const withdrawMoney = (money: string) => `Withdraw ${money}`
export const approveAndDeposit = (money: string) => `Approve and deposit ${money} in one call`
export const approveMoney = (money: string) => `Approve ${money}`
export const depositMoney = (money: string) => `Deposit ${money}`
export const account = 'Account'
export const mainAccount = (wallet: string) => `Main, ${wallet}`
