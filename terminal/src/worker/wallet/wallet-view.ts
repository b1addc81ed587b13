// Writes the wallet as the page shows it.
import { fromRaw } from 'openvenue'
import type { Address, SigningVenue } from 'openvenue/signing'
import { DEVNET } from '../account/play-money.ts'
import type { SavedAccount } from '../account/saved-account.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { tokenBalance } from './chain-rpc.ts'
import type { Step, TokenRow, WalletView } from './wallet-protocol.ts'
import type { Network, Wallet } from './wallets.ts'

export type WalletState = Readonly<{
  isBusy: boolean
  steps: readonly Step[]
  tokens: readonly TokenRow[]
  network: Network | undefined
}>

/** Returns what is shown of a wallet, also of none. No key is in it. */
export function viewWallet(
  saved: Pick<SavedAccount, 'kind' | 'name' | 'address'> | undefined,
  { isBusy, steps, tokens, network }: WalletState,
  isEnabled: boolean,
): WalletView {
  const { kind = 'none', name = '', address = '' } = saved ?? {}
  return {
    kind: network === undefined ? 'loading' : kind,
    ...{ name, address, short: shorten(address), isEnabled, isBusy, steps, tokens },
    network: network?.name ?? '',
    isDevnet: network?.name === DEVNET,
  }
}

/** Returns what the wallet itself has of each token. */
export function viewTokens(venue: SigningVenue, wallet: Wallet): Promise<TokenRow[]> {
  return Promise.all(
    venue.info.tokens.map(async ({ symbol, address, decimals }) => {
      const raw = await tokenBalance(wallet.request, address as Address, wallet.address)
      return { symbol, inWallet: showDecimal(fromRaw(raw, decimals)) }
    }),
  )
}

const shorten = (address: string): string =>
  address === '' ? '' : `${address.slice(0, 6)}…${address.slice(-4)}`
