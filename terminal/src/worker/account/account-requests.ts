// Answers what the page asks about the account.

import type { Handlers } from '../requests.ts'
import type { AccountActions } from './account-actions.ts'
import type { AccountControl } from './account-control.ts'
import type { AccountRequests } from './account-protocol.ts'

/** Returns what answers the questions about the account. */
export function accountHandlers(control: AccountControl): Handlers<AccountRequests> {
  const done = async (work: Promise<void>): Promise<null> => {
    await work
    return null
  }
  const act = async (work: (actions: AccountActions) => Promise<void>): Promise<null> =>
    done(work(await control.actions()))
  return {
    startTest: () => act((actions) => actions.startTest()),
    connect: (wallet) => act((actions) => actions.connect(wallet)),
    switchChain: () => act((actions) => actions.switchChain()),
    stopWaiting: async () => {
      control.stopWaiting()
      return null
    },
    resume: () => act((actions) => actions.resume()),
    checkMoney: async (money) => (await control.actions()).checkMoney(money),
    getTestMoney: () => act((actions) => actions.getTestMoney()),
    enableTrading: (money) => act((actions) => actions.enableTrading(money)),
    deposit: (money) => act((actions) => actions.deposit(money)),
    withdraw: (money) => act((actions) => actions.withdraw(money)),
    walletChanged: () => done(control.walletChanged()),
    signOut: () => done(control.signOut()),
  }
}
