// Registration of signing keys, and API keys (interface 4.5, 5.2, 5.3).
import Type, { type Static } from 'typebox'
import { KEY_RIGHTS } from './api-keys.ts'
import { Address, choice, named, ns, nullable, rawInteger } from './field.ts'

/** Maximum length of a referral or invite code. */
export const CODE_LENGTH_MAX = 64
/**
 * Maximum signature size in bytes: several times that of passkeys, multi-owner wallets and wallet
 * deployments (EIP-6492).
 */
export const SIGNATURE_BYTES_MAX = 4096
/** Maximum number of pending registrations in GET /api-keys; a wallet needs few. */
export const RELAYS_MAX = 100
/** Largest number that Register can contain. */
export const EXPIRY_MAX = 2n ** 256n - 1n

const anyCaseAddress = (description: string) =>
  Type.String({ pattern: '^0[xX][0-9a-fA-F]{40}$', description: `${description} Any case.` })

const signature = (description: string) =>
  Type.String({
    pattern: '^(0[xX])?[0-9a-fA-F]+$',
    maxLength: 2 + 2 * SIGNATURE_BYTES_MAX,
    description: `${description} 0x may be omitted.`,
  })

/** The body of POST /register; unknown members are ignored. */
export const RegisterRequest = Type.Object(
  {
    account: anyCaseAddress('The wallet.'),
    signing_key: anyCaseAddress('The signing key created for it.'),
    expiry: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,78}$' })], {
      description:
        'Unix seconds, as signed, up to 2^256 - 1; a number, or its digits as text. The API key ' +
        'expires then, but no later than the operator allows (30 days); if in the past, in 60 seconds.',
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
        description: 'Required for the first registration if accounts need an invitation.',
      }),
    ),
    no_api_key: Type.Optional(
      Type.Boolean({ description: 'True: no new API key if the account has an active one.' }),
    ),
    hmac: Type.Optional(
      Type.Boolean({
        description:
          'True: the new API key can also sign requests, so that its secret need not be sent. Rejected ' +
          'if the venue stores no secrets.',
      }),
    ),
    on_chain: Type.Optional(
      Type.Boolean({
        description:
          'True: the key is also registered with the accounts contract, with the two signatures ' +
          'below, so that it can sign orders. The expiry must be in the future; the contract limits it ' +
          'to 30 days from then. A registration that the contract would reject is rejected, and nothing is ' +
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
      'AcceptKey also verifyingContract, the accounts contract, which publishes them. A pair of ' +
      'the first two yields one API key.',
  },
)

/** Progress of a registration towards the chain. */
export const RelayStatus = choice(['pending', 'sent', 'done', 'failed'], {
  description:
    'pending: not sent yet. sent: in a transaction. done: on the chain. failed: given up.',
})
export const TransactionHash = nullable(
  Type.String({ description: 'The newest transaction that contains it; null without one.' }),
)

/** The answer of POST /register. */
export const Registered = named(
  'Registered',
  {
    api_key: Type.Optional(Type.String({ description: 'Absent if an active key was kept.' })),
    api_secret: Type.Optional(Type.String({ description: 'Never shown again.' })),
    account: Address('The wallet.'),
    signing_key: Address('The signing key.'),
    on_chain: Type.Optional(
      named(
        'RelayState',
        { status: RelayStatus, transaction_hash: TransactionHash },
        'Only if requested. GET /api-keys reports its progress.',
      ),
    ),
  },
  'The registration and its API key.',
)
export type Registered = Static<typeof Registered>

/** The body of DELETE /api-key, optional; unknown members are ignored. */
export const KeyRemoval = Type.Object({
  api_key: Type.Optional(
    Type.String({ description: 'The key to revoke; by default the key of the request.' }),
  ),
  all: Type.Optional(
    Type.Unknown({ description: 'True revokes every key of the account; else ignored.' }),
  ),
  on_chain: Type.Optional(
    Type.Boolean({
      description:
        'True is rejected, and revokes nothing: only the wallet can revoke a signing key on the chain. ' +
        'The rejection contains the call to send.',
    }),
  ),
})

export const KeyRemoved = named(
  'KeyRemoved',
  {
    success: Type.Literal(true),
    revoked: Type.Optional(Type.Integer({ description: 'Number of keys; only with all true.' })),
  },
  'The keys are revoked.',
)
export type KeyRemoved = Static<typeof KeyRemoved>

/** An API key in the list, and the answer of PATCH /api-keys/{prefix}. */
export const ApiKeyItem = named(
  'ApiKey',
  {
    prefix: Type.String({ description: 'Prefix of the key.' }),
    name: nullable(Type.String({ description: 'Null for an unnamed key from a sign-in.' })),
    ...KEY_RIGHTS,
    signing_key: Address('The signing key that it was issued for.'),
    created_timestamp: ns('Time of issue.'),
    expires_timestamp: ns('Expiry time.'),
    last_used_timestamp: nullable(ns('Last use, to about a minute; null if never.')),
    is_current: Type.Boolean({ description: 'True for the key of this request.' }),
  },
  'An active key of the account.',
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
              "Reason of the failure: the contract's error, or why it was not submitted.",
          }),
        ),
        created_timestamp: ns('Time of the request.'),
        timestamp: ns('Time of the last status change.'),
      }),
      {
        maxItems: RELAYS_MAX,
        description:
          'Registrations of signing keys on their way to the chain, and those that ended within a week, newest first.',
      },
    ),
  },
  'Active keys of the account.',
)
export type ApiKeys = Static<typeof ApiKeys>
