// Handles requests of the secondary pages. Loaded with the first of them.
import { Rest } from 'openvenue'
import { TEST_MONEY } from 'openvenue/devnet'
import type { AccountControl } from '../features/account/worker/account-control.ts'
import { lookAt } from '../features/address/worker/watch-address.ts'
import type { FaucetOffer } from '../features/faucet/faucet-protocol.ts'
import { keyHandlers } from '../features/keys/worker/keys.ts'
import { exportPortfolio, readPortfolio } from '../features/portfolio/worker/portfolio.ts'
import { indexedRecords, SealedStore } from '../features/session/worker/sealed-store.ts'
import type { SessionHolder } from '../features/session/worker/session.ts'
import { SubAccounts } from '../features/sub-accounts/worker/sub-accounts.ts'
import type { PageRequests } from '../protocol/protocol.ts'
import type { Handlers } from '../protocol/worker/requests.ts'
import { showDecimal } from '../text/decimal-text.ts'
import * as text from './text.ts'

export type PageContext = Readonly<{
  apiUrl: string
  sessions: SessionHolder
  control: AccountControl
  show: (acting: string) => void
}>

export function pageHandlers(parts: PageContext): Handlers<PageRequests> {
  const { apiUrl, sessions, control } = parts
  const open = new Rest({ url: apiUrl, patience: { retries: 3, waitMsMax: 10_000 } })
  const subs = new SubAccounts({ ...parts, store: new SealedStore(indexedRecords()) })
  return {
    ...keyHandlers(sessions, control),
    ...subs.handlers(),
    readPortfolio: ({ period }) => readPortfolio(sessions.require().rest, period),
    exportPortfolio: ({ period, series }) =>
      exportPortfolio(sessions.require().rest, period, series),
    lookAt: ({ address }) => lookAt(open, address),
    readFaucet: async () => offers(),
  }
}

function offers(): readonly FaucetOffer[] {
  const { tokens, gas } = TEST_MONEY
  return [
    ...Object.entries(tokens).map(([symbol, amount]) => ({ symbol, amount: showDecimal(amount) })),
    { symbol: text.nativeCoin, amount: showDecimal(gas) },
  ]
}
