// Registration of signing keys, and API keys (interface 4.5, 5.2, 5.3).
import Type, { type Static } from 'typebox'
import { KEY_RIGHTS } from './api-keys.ts'
import { Address, choice, named, ns, nullable, rawInteger } from './field.ts'

/** Longest referral or invite code. */
export const CODE_LENGTH_MAX = 64
/**
 * Longest signature, bytes: passkeys, many owners, and what deploys a wallet (EIP-6492) fit several
 * times.
 */
export const SIGNATURE_BYTES_MAX = 4096
/** Registrations on their way to the chain that GET /api-keys reports: a wallet asks for few. */
export const RELAYS_MAX = 100
/** Largest number that Register can sign. */
export const EXPIRY_MAX = 2n ** 256n - 1n

const anyCaseAddress = (description: string) =>
  Type.String({ pattern: '^0[xX][0-9a-fA-F]{40}$', description: `${description} In any case.` })

const signature = (description: string) =>
  Type.String({
    pattern: '^(0[xX])?[0-9a-fA-F]+$',
    maxLength: 2 + 2 * SIGNATURE_BYTES_MAX,
    description: `${description} 0x may be left out.`,
  })

/** The body of POST /register; members of other names are ignored. */
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
    hmac: Type.Optional(
      Type.Boolean({
        description:
          'True: the new API key can also sign requests, so that its secret need not be sent. Refused ' +
          'where the venue keeps no secrets.',
      }),
    ),
    on_chain: Type.Optional(
      Type.Boolean({
        description:
          'True: the key is also registered with the contract of accounts, with the two signatures ' +
          'below, so that it can sign orders. The expiry must be in the future; the contract cuts it ' +
          'to 30 days from then. What the contract would refuse is refused at once, and nothing is ' +
          'registered.',
      }),
    ),
    chain_account_signature: Type.Optional(
      signature(
        'With on_chain: EIP-712 signature of RegisterKey(address account,address key,uint256 expiry) by the wallet, or by the owner of the sub-account: ECDSA or EIP-1271.',
      ),
    ),
    chain_signing_key_signature: Type.Optional(
      signature(
        'With on_chain: EIP-712 signature of AcceptKey(address account,address key,uint256 expiry) by the signing key: ECDSA.',
      ),
    ),
  },
  {
    title: 'RegisterRequest',
    description:
      'The domain of Register and SignKey has name, version "1" and chainId; that of RegisterKey and ' +
      'AcceptKey also verifyingContract, the contract of accounts, which publishes them. A pair of ' +
      'the first two makes one API key.',
  },
)

/** How far a registration is on its way to the chain. */
export const RelayStatus = choice(['pending', 'sent', 'done', 'failed'], {
  description:
    'pending: not sent yet. sent: in a transaction. done: the chain took it. failed: it was given up.',
})
export const TransactionHash = nullable(
  Type.String({ description: 'The newest transaction that carries it; null while there is none.' }),
)

/** The answer of POST /register. */
export const Registered = named(
  'Registered',
  {
    api_key: Type.Optional(Type.String({ description: 'Absent: a live key was kept.' })),
    api_secret: Type.Optional(Type.String({ description: 'Never shown again.' })),
    account: Address('The wallet.'),
    signing_key: Address('The signing key.'),
    on_chain: Type.Optional(
      named(
        'RelayState',
        { status: RelayStatus, transaction_hash: TransactionHash },
        'Only when it was asked for. GET /api-keys says how it goes on.',
      ),
    ),
  },
  'What was registered, and the key that was issued.',
)
export type Registered = Static<typeof Registered>

/** The body that DELETE /api-key may have; members of other names are ignored. */
export const KeyRemoval = Type.Object({
  api_key: Type.Optional(
    Type.String({ description: 'The key to revoke; by default the one of the request.' }),
  ),
  all: Type.Optional(
    Type.Unknown({ description: 'True revokes every key of the account; all else is ignored.' }),
  ),
  on_chain: Type.Optional(
    Type.Boolean({
      description:
        'True is refused, and revokes nothing: only the wallet can revoke a signing key on the chain. ' +
        'The refusal holds the call that it has to send.',
    }),
  ),
})

export const KeyRemoved = named(
  'KeyRemoved',
  {
    success: Type.Literal(true),
    revoked: Type.Optional(Type.Integer({ description: 'How many keys; with all true only.' })),
  },
  'The key, or the keys, are revoked.',
)
export type KeyRemoved = Static<typeof KeyRemoved>

/** One key of the list, and the answer of PATCH /api-keys/{prefix}. */
export const ApiKeyItem = named(
  'ApiKey',
  {
    prefix: Type.String({ description: 'How the key begins.' }),
    name: nullable(Type.String({ description: 'Null: a sign-in made it, and nobody named it.' })),
    ...KEY_RIGHTS,
    signing_key: Address('The signing key that it was issued for.'),
    created_timestamp: ns('When it was issued.'),
    expires_timestamp: ns('When it ends.'),
    last_used_timestamp: nullable(ns('When it was last used, to about a minute; null: never.')),
    is_current: Type.Boolean({ description: 'The request came with it.' }),
  },
  'A live key of the account.',
)
export type ApiKeyItem = Static<typeof ApiKeyItem>

export const ApiKeys = named(
  'ApiKeys',
  {
    api_keys: Type.Array(ApiKeyItem, { description: 'Newest first.' }),
    on_chain: Type.Array(
      named('KeyRelay', {
        signing_key: Address('The signing key.'),
        expiry: rawInteger('Unix seconds, as signed.'),
        status: RelayStatus,
        transaction_hash: TransactionHash,
        reason: nullable(
          Type.String({
            description:
              'Why it failed: the error of the contract, or what kept it from being sent.',
          }),
        ),
        created_timestamp: ns('When it was asked for.'),
        timestamp: ns('When its status changed last.'),
      }),
      {
        maxItems: RELAYS_MAX,
        description:
          'Registrations of signing keys on their way to the chain, and those that ended within a week, newest first.',
      },
    ),
  },
  'Live keys of the account.',
)
export type ApiKeys = Static<typeof ApiKeys>
