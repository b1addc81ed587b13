// API keys created, named and restricted with another key (section 9 of the order entry).
import { SCOPES } from '@openvenue/core/scopes'
import Type, { type Static } from 'typebox'
import { Address, choice, named, ns } from './field.ts'

/** Maximum length of a key name. */
export const KEY_NAME_LENGTH_MAX = 64
/** Maximum number of addresses and networks of a key. */
export const KEY_ADDRESSES_MAX = 20

const Name = Type.String({
  minLength: 1,
  maxLength: KEY_NAME_LENGTH_MAX,
  description: 'Name given by the owner. Sign-ins evict unnamed keys first.',
})
const Scopes = (description: string) =>
  Type.Array(choice(SCOPES, { title: 'Scope' }), { minItems: 1, description })
const Addresses = (description: string) =>
  Type.Array(Type.String({ description: 'IPv4 or IPv6, or a network: `10.0.0.0/8`.' }), {
    maxItems: KEY_ADDRESSES_MAX,
    description,
  })
const Expiry = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,78}$' })], {
    description: `${description} Unix seconds; a number, or its digits as text.`,
  })

/** Settings of a key that its owner controls. */
export const KEY_RIGHTS = {
  scopes: Scopes('Scopes of the key: read private data, trade (place, replace), cancel orders.'),
  ip_addresses: Addresses('Addresses the key may be used from; empty for any.'),
  hmac: Type.Boolean({
    description: 'The key can sign requests, so that its secret is never sent.',
  }),
}

/** The body of POST /api-keys; unknown members are rejected. */
export const KeyRequest = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(
      Scopes('A subset of the scopes of the requesting key; all of them by default.'),
    ),
    ip_addresses: Type.Optional(
      Addresses('Each within those of the requesting key; the same by default.'),
    ),
    expiry: Type.Optional(
      Expiry('No later than that of the requesting key, which is the default.'),
    ),
    hmac: Type.Optional(
      Type.Boolean({
        description: 'True: the key can sign requests. Rejected if the venue does not offer it.',
      }),
    ),
  },
  { title: 'KeyRequest', additionalProperties: false },
)

/** The body of PATCH /api-keys/{prefix}; unknown members are rejected. */
export const KeyChange = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(Scopes('A subset of its scopes.')),
    ip_addresses: Type.Optional(Addresses('Each within its current ones.')),
    expiry: Type.Optional(Expiry('No later than the current expiry.')),
  },
  { title: 'KeyChange', additionalProperties: false },
)

/** The answer of POST /api-keys. */
export const KeyIssued = named(
  'KeyIssued',
  {
    api_key: Type.String({ description: 'The key.' }),
    api_secret: Type.String({ description: 'Never shown again.' }),
    account: Address('The wallet.'),
    signing_key: Address('Signing key of the requesting key.'),
    prefix: Type.String({ description: 'Prefix of the key.' }),
    name: Name,
    ...KEY_RIGHTS,
    expires_timestamp: ns('Expiry time.'),
  },
  'The new key.',
)
export type KeyIssued = Static<typeof KeyIssued>
