// Who may cancel orders of an account, and how to let somebody or to end it.
import Type, { type Static } from 'typebox'
import { Address, named, ns, nullable, rawInteger, strict } from './field.ts'
import { RelayStatus, SIGNATURE_BYTES_MAX, TransactionHash } from './registration.ts'

/** An account lets few cancel; more are left out, those that end first. */
export const CANCELLERS_MAX = 100

const call = (description: string) =>
  strict(
    {
      to: Address('The contract of accounts.'),
      data: Type.String({ description: 'Bytes of the call, hex.' }),
      value: Type.Literal('0'),
      chain_id: Type.Integer(),
    },
    description,
  )

const Canceller = named('Canceller', {
  canceller: Address('Who may cancel resting orders of the account, and nothing else.'),
  expiry: rawInteger('First second in which it no longer may, Unix seconds.'),
  expires_timestamp: ns('The same.'),
  is_venue: Type.Boolean({ description: "It is the venue's: DELETE /orders needs no signature." }),
  revoke: nullable(
    call(
      'Ends it at once. The wallet sends it, the owner of a sub-account, or a live signing key. Null where this node knows no contract of accounts.',
    ),
  ),
})

const Allowance = named(
  'CancellerAllowance',
  {
    canceller: Address('Who is allowed.'),
    expiry: rawInteger('Until when, Unix seconds: at most 30 days after the newest block.'),
    typed_data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'AllowCanceller, as eth_signTypedData_v4 takes it: signed by the wallet, the owner of a sub-account, or a live signing key, for Accounts.allowCancellerSigned, which anybody may send.',
    }),
    digest: Type.String({ description: 'Its EIP-712 hash.' }),
    call: call('Allows it without a message. The same may send it who may sign.'),
  },
  'How to allow a canceller.',
)

export const CancellerRelay = named(
  'CancellerRelay',
  {
    canceller: Address('Who is to be allowed.'),
    expiry: rawInteger('Until when, Unix seconds, as signed.'),
    status: RelayStatus,
    transaction_hash: TransactionHash,
    reason: nullable(Type.String({ description: 'Why it failed: the error of the contract.' })),
    created_timestamp: ns('When it was asked for.'),
    timestamp: ns('When its status changed last.'),
  },
  'An allowance that the venue brings to the chain.',
)
export type CancellerRelay = Static<typeof CancellerRelay>

/** The body of POST /account/cancellers; members of other names are ignored. */
export const CancellerRequest = Type.Object({
  canceller: Type.Optional(
    Type.String({ description: "The venue's own, which it is unless given: the venue pays." }),
  ),
  expiry: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,78}$' })], {
    description:
      'Unix seconds, as signed: at most 30 days after the newest block, and later than any before.',
  }),
  signature: Type.String({
    pattern: '^(0[xX])?[0-9a-fA-F]+$',
    maxLength: 2 + 2 * SIGNATURE_BYTES_MAX,
    description:
      'Of AllowCanceller by the wallet, the owner of a sub-account (ECDSA or EIP-1271), or a live signing key.',
  }),
})

export const Cancellers = named(
  'Cancellers',
  {
    account: Address('The wallet.'),
    cancellers: Type.Array(Canceller, {
      maxItems: CANCELLERS_MAX,
      description: 'Those that may cancel now, the one that may longest first.',
    }),
    venue_canceller: nullable(Address("The venue's own; null where it has none.")),
    allow: nullable(Allowance),
    on_chain: nullable(CancellerRelay),
  },
  'Who may cancel for an account.',
)
export type Cancellers = Static<typeof Cancellers>

export const CancellersQuery = Type.Object({
  canceller: Type.Optional(
    Type.String({ description: "Whom `allow` is about; the venue's own unless given." }),
  ),
  expiry: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Until when `allow` is, Unix seconds: at most 30 days after the newest block; an hour less unless given.',
    }),
  ),
})

export const RevokedCanceller = Type.Object({
  canceller: Address('Who is to cancel no more.'),
})
