// Answers what the second pages ask. It is loaded with the first of their questions.
import { Rest } from 'openvenue'
import { TEST_MONEY } from 'openvenue/devnet'
import type { AccountControl } from '../account/account-control.ts'
import { indexedRecords } from '../account/indexed-records.ts'
import { SealedStore } from '../account/sealed-store.ts'
import type { SessionHolder } from '../account/session.ts'
import type { Handlers } from '../requests.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { keyHandlers } from './keys.ts'
import { lookAt } from './look-at.ts'
import type { Offer, PageRequests } from './page-protocol.ts'
import { exportPortfolio, readPortfolio } from './portfolio.ts'
import { SubAccounts } from './sub-accounts.ts'

export type PageParts = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  control: AccountControl
  show: (acting: string) => void
}>

/** Returns what answers the questions of the second pages. */
export function pageHandlers(parts: PageParts): Handlers<PageRequests> {
  const { apiUrl, sessions, control } = parts
  const open = new Rest({ url: apiUrl, patience: { retries: 3, waitMsMax: 10_000 } })
  const subs = new SubAccounts({ ...parts, store: new SealedStore(indexedRecords()) })
  return {
    ...keyHandlers(sessions, control),
    ...subs.handlers(),
    readPortfolio: ({ period }) => readPortfolio(sessions.require().rest, period),
    exportPortfolio: ({ period, what }) => exportPortfolio(sessions.require().rest, period, what),
    lookAt: ({ address }) => lookAt(open, address),
    readFaucet: async () => offers(),
  }
}

function offers(): readonly Offer[] {
  const { tokens, gas } = TEST_MONEY
  return [
    ...Object.entries(tokens).map(([symbol, amount]) => ({ symbol, amount: showDecimal(amount) })),
    { symbol: 'native coin, for gas', amount: showDecimal(gas) },
  ]
}
