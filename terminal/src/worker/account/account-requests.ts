// Answers what the page asks about the account.

import type { Handlers } from '../requests.ts'
import type { AccountControl } from './account-control.ts'
import type { AccountRequests } from './account-protocol.ts'

/** Returns what answers the questions about the account. */
export function accountHandlers(control: AccountControl): Handlers<AccountRequests> {
  const done = async (work: Promise<void>): Promise<null> => {
    await work
    return null
  }
  return {
    startTest: () => done(control.startTest()),
    connect: ({ id, name }) => done(control.connect(id, name)),
    switchChain: () => done(control.switchChain()),
    stopWaiting: async () => {
      control.stopWaiting()
      return null
    },
    resume: () => done(control.resume()),
    checkMoney: (money) => control.checkMoney(money),
    getTestMoney: () => done(control.getTestMoney()),
    enableTrading: (money) => done(control.enableTrading(money)),
    deposit: (money) => done(control.deposit(money)),
    withdraw: (money) => done(control.withdraw(money)),
    walletChanged: () => done(control.walletChanged()),
    signOut: () => done(control.signOut()),
  }
}
