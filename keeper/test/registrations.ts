// Signs the registration of a key by a wallet.
import type { KeyRegistration } from '@openvenue/store/identity/key-relays'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CHAIN_ID, derivePrivateKey } from './live-sender.ts'
import type { LiveVenue } from './live-venue.ts'

const LIFE_SECONDS = 3_600
const GRANT = [
  { name: 'account', type: 'address' },
  { name: 'key', type: 'address' },
  { name: 'expiry', type: 'uint256' },
] as const
const TYPES = { RegisterKey: GRANT, AcceptKey: GRANT } as const

/** Returns the grant to sign, without the signer, for the contract name "test". */
export const createGrant = (
  { venue }: LiveVenue,
  message: Readonly<{ account: Hex; key: Hex; expiry: bigint }>,
) => {
  const verifyingContract = venue.deployment.accounts as Hex
  const domain = { name: 'test', version: '1', chainId: CHAIN_ID, verifyingContract }
  return { domain, types: TYPES, message } as const
}

/** Returns a registration of a new key, signed by the wallet and the key. */
export async function signedRegistration(
  live: LiveVenue,
  by: number,
  nowSeconds: number,
): Promise<KeyRegistration> {
  const wallet = privateKeyToAccount(derivePrivateKey(by))
  const key = privateKeyToAccount(generatePrivateKey())
  const expiry = BigInt(nowSeconds + LIFE_SECONDS)
  const grant = createGrant(live, { account: wallet.address, key: key.address, expiry })
  return {
    wallet: (live.venue.wallets[by] ?? '').toLowerCase(),
    signingKey: key.address.toLowerCase(),
    expiry,
    walletSignature: await wallet.signTypedData({ ...grant, primaryType: 'RegisterKey' }),
    signingKeySignature: await key.signTypedData({ ...grant, primaryType: 'AcceptKey' }),
  }
}
