// Makes, lists and revokes what may act for the account: API keys, the signing key of this page,
// and those who may cancel.
import { type Address, allowVenueToCancel } from 'openvenue/signing'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { AccountControl } from '../account/account-control.ts'
import { isRefusedByChain } from '../account/enabling.ts'
import type { Session, SessionHolder } from '../account/session.ts'
import type { Handlers } from '../requests.ts'
import { nodeAt } from '../wallet/chain-rpc.ts'
import { readKeyForm, secondsText, viewCanceller, viewKey } from './keys-view.ts'
import { planAllowCanceller, planRevokeCanceller, planRevokeKey } from './page-calls.ts'
import type { KeysView, PageRequests } from './page-protocol.ts'

/** The contract says of a key that was revoked that it ended in second 1. */
const REVOKED_SECONDS = 1
const ASK_MS = 250
/** The venue is so far behind the chain at most before the list is read as it is. */
const LISTED_MS_MAX = 30_000
const ABI = parseAbi(['function keyOf(address key) view returns (uint40 account, uint40 expiry)'])

type KeyRequests = Pick<
  PageRequests,
  | 'readKeys'
  | 'makeKey'
  | 'revokeKey'
  | 'revokeAllKeys'
  | 'revokeSigningKey'
  | 'allowVenue'
  | 'revokeCanceller'
>

/** Returns what answers the questions about keys. */
export function keyHandlers(
  sessions: SessionHolder,
  control: AccountControl,
): Handlers<KeyRequests> {
  return {
    readKeys: () => readKeys(sessions.require()),
    makeKey: async (form) => {
      const body = readKeyForm(form, Date.now())
      const made = await sessions.require().rest.call('POST /api-keys', { body })
      return { name: made.name, key: made.api_key, secret: made.api_secret }
    },
    revokeKey: async ({ prefix }) => {
      await sessions.require().rest.call('DELETE /api-keys/{prefix}', { path: { prefix } })
      return null
    },
    revokeAllKeys: async () => {
      await sessions.require().rest.call('DELETE /api-key', { body: { all: true } })
      await control.forgetKeys()
      return null
    },
    revokeSigningKey: async () => {
      const { venue, signer } = sessions.require()
      const { address } = await signer()
      await control.sendPlanned([planRevokeKey(venue, address)])
      await control.forgetKeys()
      return null
    },
    allowVenue: async () => {
      const { rest, venue, signer, account } = sessions.require()
      try {
        await allowVenueToCancel(rest, venue, { signer: await signer(), account })
      } catch (error) {
        // Once it was revoked, no message counts: the wallet sends a transaction.
        if (!isRefusedByChain(error)) throw error
        const { allow } = await rest.call('GET /account/cancellers')
        if (allow === null) throw error
        const [canceller, expirySeconds] = [allow.canceller as Address, Number(allow.expiry)]
        await control.sendPlanned([
          planAllowCanceller(venue, account, { canceller, expirySeconds }),
        ])
        await untilListed(rest, canceller, true)
      }
      return null
    },
    revokeCanceller: async ({ address }) => {
      const { rest, venue, account } = sessions.require()
      await control.sendPlanned([planRevokeCanceller(venue, account, address as Address)])
      await untilListed(rest, address, false)
      return null
    },
  }
}

/** The venue follows the chain, which the wallet has asked: it may not have that block yet. */
async function untilListed(rest: Session['rest'], address: string, isAllowed: boolean) {
  const deadlineMs = performance.now() + LISTED_MS_MAX
  while (performance.now() < deadlineMs) {
    const { cancellers } = await rest.call('GET /account/cancellers')
    const isListed = cancellers.some(({ canceller }) => canceller === address.toLowerCase())
    if (isListed === isAllowed) return
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
}

async function readKeys(session: Session): Promise<KeysView> {
  const { rest } = session
  const [{ api_keys }, { cancellers, venue_canceller }, signingKey] = await Promise.all([
    rest.call('GET /api-keys'),
    rest.call('GET /account/cancellers'),
    readSigningKey(session),
  ])
  return {
    keys: api_keys.map(viewKey),
    signingKey,
    cancellers: cancellers.map(viewCanceller),
    isVenueAllowed: cancellers.some(({ is_venue }) => is_venue),
    hasVenueCanceller: venue_canceller !== null,
  }
}

/** What the contract says of the signing key; it is what counts. */
async function readSigningKey({ venue, signer }: Session): Promise<KeysView['signingKey']> {
  const { address } = await signer()
  const [url] = venue.info.network.rpc_urls
  const unknown = { address, until: 'not known: no node of the chain answers', isLive: true }
  if (url === undefined) return unknown
  const data = encodeFunctionData({ abi: ABI, functionName: 'keyOf', args: [address] })
  const answer = await nodeAt(url)('eth_call', [{ to: venue.accounts, data }, 'latest']).catch(
    () => undefined,
  )
  if (typeof answer !== 'string') return unknown
  const [, expiry] = decodeFunctionResult({
    ...{ abi: ABI, functionName: 'keyOf', data: answer as `0x${string}` },
  }) as readonly [number, number]
  if (expiry === REVOKED_SECONDS) return { address, until: 'revoked', isLive: false }
  return { address, until: secondsText(expiry), isLive: expiry * 1_000 > Date.now() }
}
