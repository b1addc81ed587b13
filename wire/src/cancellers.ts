// Addresses that may cancel orders of an account: list, allow and revoke.
import Type, { type Static } from 'typebox'
import { Address, named, ns, nullable, rawInteger, strict } from './field.ts'
import { RelayStatus, SIGNATURE_BYTES_MAX, TransactionHash } from './registration.ts'

/** Maximum number of cancellers in the list; beyond that, those that expire first are left out. */
export const CANCELLERS_MAX = 100

const call = (description: string) =>
  strict(
    {
      to: Address('The accounts contract.'),
      data: Type.String({ description: 'Call data, hex.' }),
      value: Type.Literal('0'),
      chain_id: Type.Integer(),
    },
    description,
  )

const Canceller = named('Canceller', {
  canceller: Address('Address that may cancel resting orders of the account and do nothing else.'),
  expiry: rawInteger('First second in which it can no longer cancel, Unix seconds.'),
  expires_timestamp: ns('The same time.'),
  is_venue: Type.Boolean({ description: "The venue's own: DELETE /orders needs no signature." }),
  revoke: nullable(
    call(
      'Revokes it immediately when sent by the wallet, the owner of a sub-account, or an active signing key. Null if this node does not know the accounts contract.',
    ),
  ),
})

const Allowance = named(
  'CancellerAllowance',
  {
    canceller: Address('The allowed address.'),
    expiry: rawInteger('Expiry, Unix seconds: at most 30 days after the newest block.'),
    typed_data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'AllowCanceller for eth_signTypedData_v4, to be signed by the wallet, the owner of a sub-account, or an active signing key. Anyone can submit it to Accounts.allowCancellerSigned.',
    }),
    digest: Type.String({ description: 'Its EIP-712 hash.' }),
    call: call('Allows it without a signed message; may be sent by the same signers.'),
  },
  'Ways to allow a canceller.',
)

export const CancellerRelay = named(
  'CancellerRelay',
  {
    canceller: Address('The address to allow.'),
    expiry: rawInteger('Expiry, Unix seconds, as signed.'),
    status: RelayStatus,
    transaction_hash: TransactionHash,
    reason: nullable(Type.String({ description: "Reason of the failure: the contract's error." })),
    created_timestamp: ns('Time of the request.'),
    timestamp: ns('Time of the last status change.'),
  },
  'An allowance that the venue submits to the chain.',
)
export type CancellerRelay = Static<typeof CancellerRelay>

/** The body of POST /account/cancellers; unknown members are ignored. */
export const CancellerRequest = Type.Object({
  canceller: Type.Optional(
    Type.String({ description: "The venue's own canceller by default, at its expense." }),
  ),
  expiry: Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^[0-9]{1,78}$' })], {
    description:
      'Unix seconds, as signed: at most 30 days after the newest block, and later than any earlier one.',
  }),
  signature: Type.String({
    pattern: '^(0[xX])?[0-9a-fA-F]+$',
    maxLength: 2 + 2 * SIGNATURE_BYTES_MAX,
    description:
      'AllowCanceller signed by the wallet, the owner of a sub-account (ECDSA or EIP-1271), or an active signing key.',
  }),
})

export const Cancellers = named(
  'Cancellers',
  {
    account: Address('The wallet.'),
    cancellers: Type.Array(Canceller, {
      maxItems: CANCELLERS_MAX,
      description: 'Active cancellers, the one that expires last first.',
    }),
    venue_canceller: nullable(Address("The venue's own canceller; null if it has none.")),
    allow: nullable(Allowance),
    on_chain: nullable(CancellerRelay),
  },
  'Cancellers of an account.',
)
export type Cancellers = Static<typeof Cancellers>

export const CancellersQuery = Type.Object({
  canceller: Type.Optional(
    Type.String({ description: "Canceller for `allow`; the venue's own by default." }),
  ),
  expiry: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Expiry for `allow`, Unix seconds: at most 30 days after the newest block; by default an hour less.',
    }),
  ),
})

export const RevokedCanceller = Type.Object({
  canceller: Address('The canceller to revoke.'),
})
