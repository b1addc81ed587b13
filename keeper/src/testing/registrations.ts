// A signing key as a wallet registers it.
import type { KeyRegistration } from '@openvenue/store/key-relays'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { CHAIN_ID, keyOf } from './senders.ts'
import type { StandingVenue } from './standing-venue.ts'

const LIFE_SECONDS = 3_600
/** The name that the contract of accounts was given. */
const DOMAIN = { name: 'test', version: '1', chainId: CHAIN_ID }

/** Returns a new key of that wallet, signed by both. */
export async function signedRegistration(
  standing: StandingVenue,
  by: number,
  nowSeconds: number,
): Promise<KeyRegistration> {
  const wallet = privateKeyToAccount(keyOf(by))
  const key = privateKeyToAccount(generatePrivateKey())
  const expiry = BigInt(nowSeconds + LIFE_SECONDS)
  return {
    wallet: (standing.venue.wallets[by] ?? '').toLowerCase(),
    signingKey: key.address.toLowerCase(),
    expiry,
    walletSignature: await wallet.signTypedData({
      domain: DOMAIN,
      types: {
        Register: [
          { name: 'key', type: 'address' },
          { name: 'expiry', type: 'uint256' },
        ],
      },
      primaryType: 'Register',
      message: { key: key.address, expiry },
    }),
    signingKeySignature: await key.signTypedData({
      domain: DOMAIN,
      types: { SignKey: [{ name: 'account', type: 'address' }] },
      primaryType: 'SignKey',
      message: { account: wallet.address },
    }),
  }
}
