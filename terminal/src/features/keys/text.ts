// Texts of the keys page: API keys, the signing key of this page, and cancellers.

export const title = 'Keys'
export const needsAccount = 'Keys belong to an account.'
export const loading = 'Loading …'
export const action = 'Action'
export const revoke = 'Revoke'
export const revokeKey = 'Revoke key'
export const cancel = 'Cancel'

// API keys
export const apiKeys = 'API keys'
export const apiKeysCount = (count: number) => `API keys (${count})`
export const apiKeysCaption = 'API keys of this account'
export const apiKeyColumns = [
  ...['Name', 'Key', 'Permissions', 'IP allowlist', 'Created', 'Expires', 'Last used'],
]
export const keyPrefix = (prefix: string) => `${prefix}…`
export const currentKey = 'This browser'
export const endsWithSession = 'ends when you sign out'
export const revokeNamed = (name: string, detail: string) => `Revoke ${name}, ${detail}`
export const revokeNamedQuestion = (name: string, prefix: string) => `Revoke ${name} (${prefix}…)?`
export const revokeEffect = 'It loses access immediately, on sockets too. This cannot be undone.'
export const revokeAll = 'Revoke all'
export const revokeAllQuestion = 'Revoke all API keys?'
export const revokeAllEffect =
  'All programs of this account and this page lose access immediately: enable trading again. Open orders stay.'
export const signInKey = 'Sign-in'
export const anyAddress = 'any'
export const neverUsed = 'never'
export const scopes = { read: 'read', trade: 'place and replace', cancel: 'cancel' } as const

// New API key
export const createApiKey = 'Create an API key'
export const name = 'Name'
export const nameHint = 'my bot'
export const permissions = 'Permissions'
export const scopeDetails = {
  read: 'read balances, orders and results',
  trade: 'place and replace signed orders',
  cancel: 'cancel orders',
} as const
export const addresses = 'IP allowlist'
export const addressesHint = 'any, or 10.0.0.0/8, 2001:db8::5'
export const expiresAfter = 'Expires after'
export const lifetimes = {
  '': '7 days',
  '1': '1 hour',
  '24': '1 day',
  '72': '3 days',
} as const
export const createKey = 'Create API key'
export const apiKeyTerms =
  'Up to five keys per account: a new one replaces the oldest from a sign-in. Orders also need a signing key; no API key can withdraw.'
export const nameRequired = 'enter a name, to know later which key to revoke'
export const permissionRequired = 'choose at least one permission'

// Secret of a new API key
export const newKey = 'The new key'
export const copySecretNow = (name: string) => `${name}: copy the secret now`
export const secretTerms =
  'It is shown only once and stored nowhere. Anyone who has it can use the key.'
export const keyPart = 'key'
export const secretPart = 'secret'
export const copyPart = (part: string) => `Copy the ${part}`
export const partCopied = (part: string) => `✓ Copied the ${part}.`
export const copyFailed = '▲ Copying failed: select it.'
export const secretSaved = "I've saved it"

// Signing key
export const signingKey = 'Trading key (this browser)'
export const signingKeyTerms =
  'It signs orders and cancels for the wallet and cannot withdraw. It is registered in the contract; this browser stores it, encrypted.'
export const address = 'Address'
export const expires = 'Expires'
export const expiryUnknown = 'unknown: no chain node responds'
export const revoked = 'revoked'
export const revokeSigningKey = 'Revoke the signing key'
export const revokeSigningKeyQuestion = 'Revoke the signing key of this page?'
export const revokeSigningKeyEffect =
  'The wallet sends this to the contract. The key can never sign again; open orders stay. To trade here again, enable trading.'

// Cancellers
export const cancellers = 'Cancel-only permissions'
export const cancellersCount = (count: number) => `Cancel-only permissions (${count})`
export const cancellersCaption = 'Cancel-only permissions of this account'
export const cancellerColumns = ['Canceller', 'Address', 'Expires']
export const extendVenue = 'Extend permission of the venue'
export const allowVenue = 'Allow venue to cancel'
export const cancellerTerms =
  'They can cancel orders and nothing else. Unless the venue is one of them, each cancel needs a signature.'
export const revokeCancellerQuestion = (name: string) => `Revoke cancel permission of ${name}?`
export const revokeCancellerEffect =
  'The wallet sends this to the contract. Each cancel then needs a signature, and cancel on disconnect stops working.'
export const noCancellers = 'None'
export const venue = 'the venue'
export const addedByYou = 'added by you'
