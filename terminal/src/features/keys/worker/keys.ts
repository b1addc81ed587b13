// Creates, lists and revokes API keys, the signing key of this page, and cancellers.
import type { shapes } from 'openvenue'
import { type Address, allowVenueToCancel } from 'openvenue/signing'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { Handlers } from '../../../protocol/worker/requests.ts'
import type { AccountControl } from '../../account/worker/account-control.ts'
import {
  planAllowCanceller,
  planRevokeCanceller,
  planRevokeKey,
} from '../../account/worker/planned-calls.ts'
import { isRefusedByChain } from '../../session/worker/enabling.ts'
import type { Session, SessionHolder } from '../../session/worker/session.ts'
import { nodeAt } from '../../wallet/worker/chain-rpc.ts'
import type { CancellerRow, KeyForm, KeyRequests, KeyRow, KeysView } from '../keys-protocol.ts'
import * as text from '../text.ts'

const SECONDS_PER_HOUR = 3_600
const NS_PER_MS = 1_000_000n
const MS_PER_SECOND = 1_000
/** Expiry that the contract returns for a revoked key. */
const REVOKED_SECONDS = 1
const ABI = parseAbi(['function keyOf(address key) view returns (uint40 account, uint40 expiry)'])

export function keyHandlers(
  sessions: Pick<SessionHolder, 'require'>,
  control: Pick<AccountControl, 'sendPlanned' | 'forgetKeys'>,
): Handlers<KeyRequests> {
  /** Earliest block at which the list is read after a change: the venue follows the chain. */
  let changedBlock: number | undefined
  return {
    readKeys: async () => {
      const view = await readKeys(sessions.require(), changedBlock)
      changedBlock = undefined
      return view
    },
    makeKey: async (form) => {
      const body = readKeyForm(form, Date.now())
      const newKey = await sessions.require().rest.call('POST /api-keys', { body })
      return { name: newKey.name, key: newKey.api_key, secret: newKey.api_secret }
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
        // After a revocation no signed message counts, so the wallet sends a transaction.
        if (!isRefusedByChain(error)) throw error
        const { allow } = await rest.call('GET /account/cancellers')
        if (allow === null) throw error
        const [canceller, expirySeconds] = [allow.canceller as Address, Number(allow.expiry)]
        changedBlock = await control.sendPlanned([
          planAllowCanceller(venue, account, { canceller, expirySeconds }),
        ])
      }
      return null
    },
    revokeCanceller: async ({ address }) => {
      const { venue, account } = sessions.require()
      const planned = planRevokeCanceller(venue, account, address as Address)
      changedBlock = await control.sendPlanned([planned])
      return null
    },
  }
}

async function readKeys(session: Session, minBlock: number | undefined): Promise<KeysView> {
  const { rest } = session
  const [{ api_keys }, { cancellers, venue_canceller }, signingKey] = await Promise.all([
    rest.call('GET /api-keys'),
    rest.call('GET /account/cancellers', {}, { minBlock }),
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

/** Reads the state of the signing key from the contract, which is authoritative. */
async function readSigningKey({ venue, signer }: Session): Promise<KeysView['signingKey']> {
  const { address } = await signer()
  const [url] = venue.info.network.rpc_urls
  const unknown = { address, until: text.expiryUnknown, isLive: true }
  if (url === undefined) return unknown
  const data = encodeFunctionData({ abi: ABI, functionName: 'keyOf', args: [address] })
  const answer = await nodeAt(url)('eth_call', [{ to: venue.accounts, data }, 'latest']).catch(
    () => undefined,
  )
  if (typeof answer !== 'string') return unknown
  const [, expiry] = decodeFunctionResult({
    ...{ abi: ABI, functionName: 'keyOf', data: answer as `0x${string}` },
  }) as readonly [number, number]
  if (expiry === REVOKED_SECONDS) return { address, until: text.revoked, isLive: false }
  return { address, until: secondsText(expiry), isLive: expiry * 1_000 > Date.now() }
}

/** Returns the request body for a new key. Throws if it has no name or no scope. */
export function readKeyForm(
  { name, scopes, networks, hours }: KeyForm,
  nowMs: number,
): shapes.KeyRequest {
  if (name.trim() === '') throw new Error(text.nameRequired)
  if (scopes.length === 0) throw new Error(text.permissionRequired)
  const addresses = networks.split(/[\s,;]+/).filter((part) => part !== '')
  return {
    name: name.trim(),
    scopes: [...scopes],
    ...(addresses.length > 0 && { ip_addresses: addresses }),
    ...(hours !== '' && {
      expiry: Math.floor(nowMs / MS_PER_SECOND) + Number(hours) * SECONDS_PER_HOUR,
    }),
  }
}

export const viewKey = (key: shapes.ApiKey): KeyRow => ({
  prefix: key.prefix,
  name: key.name ?? text.signInKey,
  scopes: key.scopes.map((scope) => text.scopes[scope]).join(', '),
  networks: key.ip_addresses.length === 0 ? text.anyAddress : key.ip_addresses.join(', '),
  created: timeText(key.created_timestamp),
  expires: timeText(key.expires_timestamp),
  lastUsed: key.last_used_timestamp === null ? text.neverUsed : timeText(key.last_used_timestamp),
  isCurrent: key.is_current,
})

const viewCanceller = (canceller: shapes.Canceller): CancellerRow => ({
  address: canceller.canceller,
  name: canceller.is_venue ? text.venue : text.addedByYou,
  until: timeText(canceller.expires_timestamp),
})

/** Returns Unix nanoseconds as local time. */
function timeText(ns: string): string {
  const date = new Date(Number(BigInt(ns) / NS_PER_MS))
  return `${date.toLocaleDateString('sv-SE')} ${date.toLocaleTimeString('en-GB')}`
}

/** Returns Unix seconds as local time. */
export const secondsText = (seconds: number): string => timeText(`${seconds}000000000`)
