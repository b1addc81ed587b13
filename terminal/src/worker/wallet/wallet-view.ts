// Writes the wallet as the page shows it.
import { fromRaw } from 'openvenue'
import type { Address, SigningVenue } from 'openvenue/signing'
import type { SavedAccount } from '../account/saved-account.ts'
import { showDecimal } from '../text/decimal-text.ts'
import { type Request, tokenBalance } from './chain-rpc.ts'
import { DEVNET, type Network } from './wallet.ts'
import type { Step, TokenRow, TxView, WalletView } from './wallet-protocol.ts'

export type WalletState = Readonly<{
  isBusy: boolean
  steps: readonly Step[]
  tokens: readonly TokenRow[]
  txs: readonly TxView[]
  network: Network | undefined
  /** The chain that the wallet was last seen on; undefined: not known. */
  chainId: number | undefined
  isSlow: boolean
}>

/** Of the beginning: nothing is known. */
export const NO_STATE: WalletState = {
  ...{ isBusy: false, steps: [], tokens: [], txs: [], isSlow: false },
  ...{ network: undefined, chainId: undefined },
}

type Kept = Pick<
  SavedAccount,
  'kind' | 'walletId' | 'name' | 'address' | 'keys' | 'begunKeys' | 'begunDeposit'
>

/** Returns what is shown of a wallet, also of none. No key is in it. */
export function viewWallet(
  saved: Kept | undefined,
  { isBusy, steps, tokens, txs, network, chainId, isSlow }: WalletState,
  isEnabled: boolean,
): WalletView {
  const { kind = 'none', walletId = '', name = '', address = '' } = saved ?? {}
  const isWrong =
    kind === 'injected' && ![undefined, network?.chainId].includes(chainId) && network !== undefined
  return {
    kind: network === undefined ? 'loading' : kind,
    ...{ id: walletId, name, address, short: shorten(address), isEnabled, isBusy, steps },
    ...{ tokens, txs, isSlow },
    network: network?.name ?? '',
    isDevnet: network?.name === DEVNET,
    wrongChain: isWrong
      ? { is: `chain ${chainId}`, wanted: `${network.name} (chain ${network.chainId})` }
      : undefined,
    unfinished: isBusy || saved === undefined ? '' : unfinishedText(saved),
  }
}

function unfinishedText({ keys, begunKeys, begunDeposit }: Kept): string {
  const parts: string[] = []
  if (begunDeposit !== undefined)
    parts.push(`a deposit of ${begunDeposit.asked.amount} ${begunDeposit.asked.symbol}`)
  if (keys === undefined && begunKeys !== undefined) parts.push('enabling trading')
  return parts.join(' and ')
}

/** Returns what a wallet itself has of each token. */
export function viewTokens(
  venue: SigningVenue,
  request: Request,
  owner: Address,
): Promise<TokenRow[]> {
  return Promise.all(
    venue.info.tokens.map(async ({ symbol, address, decimals }) => {
      const raw = await tokenBalance(request, address as Address, owner)
      return { symbol, inWallet: showDecimal(fromRaw(raw, decimals)) }
    }),
  )
}

const shorten = (address: string): string =>
  address === '' ? '' : `${address.slice(0, 6)}…${address.slice(-4)}`
