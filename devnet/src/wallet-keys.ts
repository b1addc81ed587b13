// Derives the private keys of the devnet's wallets.
import { type Hex, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { MNEMONIC } from './anvil.ts'

/** Returns the private key of an account of the mnemonic. */
export function derivePrivateKey(addressIndex: number): Hex {
  const { privateKey } = mnemonicToAccount(MNEMONIC, { addressIndex }).getHdKey()
  if (privateKey === null) throw new Error('the mnemonic yields no private key')
  return toHex(privateKey)
}
