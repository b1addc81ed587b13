// Registration of signing keys, and API keys (interface 4.5, 5.2, 5.3).
import Type, { type Static } from 'typebox'
import { Address, ns, nullable, strict } from './field.ts'

/** Longest referral or invite code. */
export const CODE_LENGTH_MAX = 64
/** Largest number that Register can sign. */
export const EXPIRY_MAX = 2n ** 256n - 1n

const anyCaseAddress = (description: string) =>
  Type.String({ pattern: '^0[xX][0-9a-fA-F]{40}$', description: `${description} In any case.` })

const signature = (description: string) =>
  Type.String({
    pattern: '^(0[xX])?[0-9a-fA-F]+$',
    description: `${description} 0x may be left out.`,
  })

/** What POST /register takes; members of other names are ignored. */
export const RegisterRequest = Type.Object(
  {
    account: anyCaseAddress('The wallet.'),
    signing_key: anyCaseAddress('The signing key that was made for it.'),
    expiry: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,78}$' })], {
      description:
        'Unix seconds, as signed, up to 2^256 - 1; a number, or its digits as text. The API key ' +
        'lives until then, but no longer than the operator allows (30 days); in the past, 60 seconds.',
    }),
    account_signature: signature(
      'EIP-712 signature of Register(address key,uint256 expiry) by the wallet: ECDSA, EIP-1271, or EIP-6492.',
    ),
    signing_key_signature: signature(
      'EIP-712 signature of SignKey(address account) by the signing key: ECDSA.',
    ),
    referral_code: Type.Optional(Type.String({ maxLength: CODE_LENGTH_MAX })),
    invite_code: Type.Optional(
      Type.String({
        maxLength: CODE_LENGTH_MAX,
        description: 'Needed where accounts register by invitation, the first time.',
      }),
    ),
    no_api_key: Type.Optional(
      Type.Boolean({ description: 'True: no new API key when the account has a live one.' }),
    ),
  },
  { description: 'The domain of both messages has name, version "1" and chainId.' },
)

/** The answer of POST /register. */
export const Registered = strict(
  {
    api_key: Type.Optional(Type.String({ description: 'Absent: a live key was kept.' })),
    api_secret: Type.Optional(Type.String({ description: 'Never shown again.' })),
    account: Address('The wallet.'),
    signing_key: Address('The signing key.'),
  },
  'What was registered, and the key that was issued.',
)
export type Registered = Static<typeof Registered>

/** What DELETE /api-key may take; members of other names are ignored. */
export const KeyRemoval = Type.Object({
  api_key: Type.Optional(
    Type.String({ description: 'The key to revoke; by default the one of the request.' }),
  ),
  all: Type.Optional(
    Type.Unknown({ description: 'True revokes every key of the account; all else is ignored.' }),
  ),
})

export const KeyRemoved = strict(
  {
    success: Type.Literal(true),
    revoked: Type.Optional(Type.Integer({ description: 'How many keys; with all true only.' })),
  },
  'The key, or the keys, are revoked.',
)
export type KeyRemoved = Static<typeof KeyRemoved>

export const ApiKeys = strict(
  {
    api_keys: Type.Array(
      strict({
        prefix: Type.String({ description: 'How the key begins.' }),
        created_timestamp: ns('When it was issued.'),
        expires_timestamp: ns('When it ends.'),
        last_used_timestamp: nullable(ns('When it was last used, to about a minute; null: never.')),
        is_current: Type.Boolean({ description: 'The request came with it.' }),
      }),
      { description: 'Newest first.' },
    ),
  },
  'Live keys of the account.',
)
export type ApiKeys = Static<typeof ApiKeys>
