// Sends an order to the venue like a client, and sets the coins of wallets.
import { MNEMONIC } from '@openvenue/devnet/anvil'
import { ROLES } from '@openvenue/devnet/roles'
import { Rest } from 'openvenue'
import { loadVenue, register, signOrder } from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import type { Venue } from '../venue/venue.ts'

const ETHER = 10n ** 18n
/** Far below any price, so that it rests. */
const LOW = '100'

const walletOf = (addressIndex: number) => mnemonicToAccount(MNEMONIC, { addressIndex })

/** Returns a function with which the venue accepts a resting order of a trader. */
export async function signedOrder({ parts }: Venue): Promise<() => Promise<void>> {
  const [api] = parts.apis
  const open = new Rest({ url: api?.url ?? '', patience: { retries: 5, waitMsMax: 10_000 } })
  const signing = await loadVenue(open)
  const wallet = walletOf(ROLES.traders[0])
  const key = privateKeyToAccount(generatePrivateKey())
  const rest = open.withKey(await register(open, signing, { wallet, key }))
  const order = { market: 'ETH-PERP', side: 'buy', amount: '0.1', price: LOW } as const
  const body = await signOrder(signing, key, { ...order, account: wallet.address })
  return async () => void (await rest.call('POST /orders', { body }))
}

/** Sets the coin balance of the keeper's and the relayer's wallets. */
export async function setFunds({ parts }: Venue, milliCoins: bigint): Promise<void> {
  for (const index of [ROLES.keeper, ...ROLES.relayers]) {
    const wei = (milliCoins * ETHER) / 1_000n
    await parts.chain.rpc.call('anvil_setBalance', walletOf(index).address, `0x${wei.toString(16)}`)
  }
}
