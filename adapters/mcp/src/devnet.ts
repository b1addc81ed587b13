// Trades as an account of a devnet's mnemonic, which everybody knows: nothing there has a value.
import type { ApiKey, Rest } from 'openvenue'
import { loadVenue, type Signer, signRegistration } from 'openvenue/signing'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { StartError } from './tool-error.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const DEVNET = 'devnet'

/** Makes an API key for the account; its wallet signs orders. Refuses any other network. */
export async function enterDevnet(
  rest: Rest,
  addressIndex: number,
): Promise<Readonly<{ apiKey: ApiKey; signer: Signer }>> {
  const venue = await loadVenue(rest)
  const { name } = venue.info.network
  if (name !== DEVNET) throw new StartError(`--devnet is for a devnet, and this network is ${name}`)
  const wallet = mnemonicToAccount(MNEMONIC, { addressIndex }) as Signer
  const key = privateKeyToAccount(generatePrivateKey()) as Signer
  const body = await signRegistration(venue, { wallet, key, onChain: false })
  const { api_key: apiKey, api_secret: secret } = await rest.call('POST /register', { body })
  if (apiKey === undefined || secret === undefined)
    throw new StartError('the venue registered the key and gave no API key')
  return { apiKey: { key: apiKey, secret }, signer: wallet }
}
