// Keys that a key makes, names and narrows (section 9 of the order entry).
import { SCOPES } from '@openvenue/core/scopes'
import Type, { type Static } from 'typebox'
import { Address, choice, named, ns } from './field.ts'

/** Longest name of a key. */
export const KEY_NAME_LENGTH_MAX = 64
/** Addresses and networks that a key may list. */
export const KEY_ADDRESSES_MAX = 20

const Name = Type.String({
  minLength: 1,
  maxLength: KEY_NAME_LENGTH_MAX,
  description: 'What its owner calls it. A sign-in pushes out keys without a name first.',
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

/** All of a key that its owner may decide. */
export const KEY_RIGHTS = {
  scopes: Scopes(
    'What it may be used for: read what is private, trade (place, replace), cancel what was placed.',
  ),
  ip_addresses: Addresses('Where it may be used from; empty: anywhere.'),
  hmac: Type.Boolean({ description: 'It can sign requests, so that its secret is never sent.' }),
}

/** The body of POST /api-keys; members of other names are refused. */
export const KeyRequest = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(
      Scopes('None that the key of the request has not; by default all it has.'),
    ),
    ip_addresses: Type.Optional(
      Addresses('Each within those of the key of the request; by default the same.'),
    ),
    expiry: Type.Optional(
      Expiry('No later than that of the key of the request, and by default the same.'),
    ),
    hmac: Type.Optional(
      Type.Boolean({
        description: 'True: it can sign requests. Refused where the venue offers none.',
      }),
    ),
  },
  { title: 'KeyRequest', additionalProperties: false },
)

/** The body of PATCH /api-keys/{prefix}; members of other names are refused. */
export const KeyChange = Type.Object(
  {
    name: Type.Optional(Name),
    scopes: Type.Optional(Scopes('Some of those it has.')),
    ip_addresses: Type.Optional(Addresses('Each within those it has.')),
    expiry: Type.Optional(Expiry('No later than it is.')),
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
    signing_key: Address('That of the key of the request.'),
    prefix: Type.String({ description: 'How the key begins.' }),
    name: Name,
    ...KEY_RIGHTS,
    expires_timestamp: ns('When it ends.'),
  },
  'The key that was made.',
)
export type KeyIssued = Static<typeof KeyIssued>
