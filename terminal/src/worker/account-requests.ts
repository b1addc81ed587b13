// Answers what the page asks about the account.
import type { AccountRequests } from './account-protocol.ts'
import type { Handlers } from './requests.ts'
import type { SessionHolder } from './session.ts'

/** Returns what answers the questions about the account. */
export const accountHandlers = (sessions: SessionHolder): Handlers<AccountRequests> => ({
  signOut: async () => {
    sessions.set(undefined)
    return null
  },
})
