// A signing key as a wallet registers it.
import type { KeyRegistration } from '@openvenue/store/key-relays'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { StandingVenue } from './live-venue.ts'
import { CHAIN_ID, keyOf } from './senders.ts'

const LIFE_SECONDS = 3_600
const GRANT = [
  { name: 'account', type: 'address' },
  { name: 'key', type: 'address' },
  { name: 'expiry', type: 'uint256' },
] as const
const TYPES = { RegisterKey: GRANT, AcceptKey: GRANT } as const

/** Returns what is signed, without the signer: the contract was given the name "test". */
export const grantOf = (
  { venue }: StandingVenue,
  message: Readonly<{ account: Hex; key: Hex; expiry: bigint }>,
) => {
  const verifyingContract = venue.deployment.accounts as Hex
  const domain = { name: 'test', version: '1', chainId: CHAIN_ID, verifyingContract }
  return { domain, types: TYPES, message } as const
}

/** Returns a new key of that wallet, signed by both. */
export async function signedRegistration(
  standing: StandingVenue,
  by: number,
  nowSeconds: number,
): Promise<KeyRegistration> {
  const wallet = privateKeyToAccount(keyOf(by))
  const key = privateKeyToAccount(generatePrivateKey())
  const expiry = BigInt(nowSeconds + LIFE_SECONDS)
  const grant = grantOf(standing, { account: wallet.address, key: key.address, expiry })
  return {
    wallet: (standing.venue.wallets[by] ?? '').toLowerCase(),
    signingKey: key.address.toLowerCase(),
    expiry,
    walletSignature: await wallet.signTypedData({ ...grant, primaryType: 'RegisterKey' }),
    signingKeySignature: await key.signTypedData({ ...grant, primaryType: 'AcceptKey' }),
  }
}
