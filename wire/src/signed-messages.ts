// Lists the EIP-712 messages of the venue, member by member: those verified by the API, those
// verified by the contracts, and those signed by the venue.
export type Member = Readonly<{ name: string; type: string }>

const member = (name: string, type: string): Member => ({ name, type })

const ACCOUNT = member('account', 'address')
const KEY_UNTIL = [member('key', 'address'), member('expiry', 'uint256')]
const MARKET = member('market', 'uint32')
const SALT = member('salt', 'uint256')
const DEADLINE = member('deadline', 'uint256')

/** Domain of the API, whose messages no contract verifies. */
export const DOMAIN: readonly Member[] = [
  member('name', 'string'),
  member('version', 'string'),
  member('chainId', 'uint256'),
]
/** Domain of a contract. */
export const CONTRACT_DOMAIN: readonly Member[] = [
  ...DOMAIN,
  member('verifyingContract', 'address'),
]

/** Messages that the API verifies. */
export const API_MESSAGES = {
  Register: KEY_UNTIL,
  RegisterFor: [ACCOUNT, ...KEY_UNTIL],
  SignKey: [ACCOUNT],
} as const satisfies Record<string, readonly Member[]>

/** Messages that the venue signs in the domain of the API, for anyone to verify. */
export const VENUE_MESSAGES = {
  Receipt: [
    member('orderId', 'bytes32'),
    member('receivedNs', 'uint256'),
    member('seq', 'uint256'),
    member('lane', 'string'),
    member('includeByBlock', 'uint256'),
  ],
  LedgerHead: [member('seq', 'uint256'), member('hash', 'bytes32')],
} as const satisfies Record<string, readonly Member[]>

/** Messages that the accounts contract verifies. */
export const ACCOUNT_MESSAGES = {
  RegisterKey: [ACCOUNT, ...KEY_UNTIL],
  AcceptKey: [ACCOUNT, ...KEY_UNTIL],
  AllowCanceller: [ACCOUNT, member('canceller', 'address'), member('expiry', 'uint256')],
} as const satisfies Record<string, readonly Member[]>

/** Messages that both engines verify. */
export const ENGINE_MESSAGES = {
  Order: [
    ACCOUNT,
    MARKET,
    member('isBuy', 'bool'),
    member('limitPrice', 'uint256'),
    member('amount', 'uint256'),
    member('timeInForce', 'uint8'),
    member('reduceOnly', 'bool'),
    member('triggerKind', 'uint8'),
    member('triggerPrice', 'uint256'),
    member('goodTil', 'uint256'),
    member('maxFills', 'uint8'),
    member('replaces', 'bytes32'),
    member('replacesAmount', 'uint256'),
    SALT,
    DEADLINE,
  ],
  Cancel: [ACCOUNT, MARKET, member('orders', 'bytes32[]'), DEADLINE],
  CancelAll: [ACCOUNT, MARKET, SALT, DEADLINE],
  Burn: [ACCOUNT, member('word', 'uint256'), member('mask', 'uint256'), DEADLINE],
} as const satisfies Record<string, readonly Member[]>
