// Commands for keys: an API key acts for an account at the API, a signing key signs its orders.
import type { shapes } from 'openvenue'
import { allowVenueToCancel, revokeKeyCall } from 'openvenue/signing'
import { privateKeyToAccount } from 'viem/accounts'
import { timesNs, words } from '../columns.ts'
import { argument, type CommandSpec, option } from '../command.ts'
import { writeCredentials } from '../credentials.ts'
import { CredentialError, UsageError } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { newKey } from './new-key.ts'
import { showPlan } from './order-plan.ts'

const KEYS = [
  words('prefix', (key: shapes.ApiKey) => key.prefix),
  words('name', (key: shapes.ApiKey) => key.name),
  words('scopes', (key: shapes.ApiKey) => key.scopes.join(' ')),
  words('hmac', (key: shapes.ApiKey) => key.hmac),
  words('signing_key', (key: shapes.ApiKey) => key.signing_key),
  timesNs('expires_timestamp', (key: shapes.ApiKey) => key.expires_timestamp, {
    title: 'expires (UTC)',
  }),
  timesNs('last_used_timestamp', (key: shapes.ApiKey) => key.last_used_timestamp, {
    title: 'last used (UTC)',
  }),
  words('is_current', (key: shapes.ApiKey) => (key.is_current ? 'yes' : ''), { title: 'current' }),
]

type CancellerRow = Readonly<{ canceller: string | null; expires_timestamp: string | undefined }>
const ALLOWED = [
  words('canceller', (row: CancellerRow) => row.canceller),
  timesNs('expires_timestamp', (row: CancellerRow) => row.expires_timestamp, {
    title: 'expires (UTC)',
  }),
]

type RevokedRow = Readonly<{ revoked: string; hash?: string }>
const REVOKED = [
  words('revoked', (row: RevokedRow) => row.revoked),
  words('hash', (row: RevokedRow) => row.hash ?? '', { title: 'transaction' }),
]

const list: CommandSpec = {
  name: 'list',
  summary: 'list the API keys of the account',
  run: async (session) => {
    const answer = await (await session.rest()).call('GET /api-keys')
    session.output.show({ answer, rows: answer.api_keys, columns: KEYS, none: 'no keys' })
  },
}

const revoke: CommandSpec = {
  name: 'revoke',
  summary: 'revoke API keys (the one in use, another one or all) or the signing key',
  args: [argument('[api-key]', 'another API key of the account, in full')],
  options: [
    option('--all', 'all API keys of the account'),
    option('--signing', 'the signing key, permanently, by a wallet transaction').conflicts('all'),
  ],
  examples: ['openvenue keys revoke', 'openvenue keys revoke --signing'],
  changes: true,
  run: async (session, { args: [named], options }) => {
    if (options.signing === true) return revokeSigningKey(session)
    const { key } = await session.apiKey()
    const body = options.all === true ? { all: true } : { api_key: named ?? key }
    if (session.isDryRun)
      return showPlan(session, [{ what: 'request', to: 'DELETE /api-key', body }])
    const answer = await (await session.rest()).call('DELETE /api-key', { body })
    if (options.all === true || body.api_key === key) await forget(session, 'api_key')
    const revoked = options.all === true ? `${answer.revoked} API keys` : `${body.api_key}`
    session.output.show({ answer, rows: [{ revoked }], columns: REVOKED })
  },
}

const allow: CommandSpec = {
  name: 'allow',
  summary: 'allow the venue to cancel, so that cancels need no signature',
  examples: ['openvenue keys allow'],
  changes: true,
  run: async (session) => {
    const [rest, venue, signer, account] = await Promise.all([
      session.rest(),
      session.venue(),
      session.signer(),
      session.account(),
    ])
    if (session.isDryRun) {
      const { allow: permission } = await rest.call('GET /account/cancellers')
      const { canceller, expiry, typed_data } = permission ?? {}
      const body = { canceller, expiry, typed_data }
      return showPlan(session, [{ what: 'signature', to: 'POST /account/cancellers', body }])
    }
    session.output.note('waiting for the chain', 'dim')
    await allowVenueToCancel(rest, venue, { signer, account }, { signal: session.host.signal })
    const answer = await rest.call('GET /account/cancellers')
    const { venue_canceller: canceller, cancellers } = answer
    const expires_timestamp = cancellers.find(({ is_venue }) => is_venue)?.expires_timestamp
    session.output.show({ answer, rows: [{ canceller, expires_timestamp }], columns: ALLOWED })
  },
}

export const keys: CommandSpec = {
  name: 'keys',
  summary: 'create, list and revoke keys; allow the venue to cancel',
  commands: [newKey, list, revoke, allow],
}

/** Only the wallet can revoke a signing key, and a revoked key cannot be registered again. */
async function revokeSigningKey(session: Session): Promise<void> {
  const [venue, wallet, { signing_key }] = await Promise.all([
    session.venue(),
    session.wallet(),
    session.credentials(),
  ])
  if (signing_key === undefined) throw new CredentialError('signing key missing: nothing to revoke')
  const { address } = privateKeyToAccount(signing_key)
  if (address === wallet.address) throw new UsageError('the wallet itself cannot be revoked')
  const call = revokeKeyCall(venue.accounts, address)
  if (session.isDryRun)
    return showPlan(session, [{ what: 'transaction: revoke', to: call.to, body: call }])
  const onHash = (hash: string) =>
    session.output.note(`sent, waiting for the block of ${hash}`, 'dim')
  const { hash, ...sent } = await (await session.chain()).send(wallet, 'revoke', call, onHash)
  await forget(session, 'signing_key')
  const answer = { revoked: address, hash, ...sent }
  session.output.show({ answer, rows: [answer], columns: REVOKED })
}

/** Removes a revoked key from the file, if the file has it. */
async function forget(session: Session, name: 'api_key' | 'signing_key'): Promise<void> {
  const { path, file } = await session.place()
  const current = await session.credentials()
  if (file?.[name] === undefined || file[name] !== current[name]) return
  const { api_key, api_secret, api_key_signs, ...withoutApiKey } = file
  const { signing_key, ...withoutSigningKey } = file
  await writeCredentials(path, name === 'api_key' ? withoutApiKey : withoutSigningKey)
}
