// Formats the wallet for the page.
import { fromRaw } from 'openvenue'
import type { Address, SigningVenue } from 'openvenue/signing'
import { showDecimal } from '../../../text/decimal-text.ts'
import type { SavedAccount } from '../../session/worker/saved-account.ts'
import type { TaskStep, TokenRow, TxView, WalletView } from '../../wallet/wallet-protocol.ts'
import { type Request, tokenBalance } from '../../wallet/worker/chain-rpc.ts'
import { DEVNET, type WalletNetwork } from '../../wallet/worker/wallet.ts'
import * as text from '../text.ts'

export type WalletState = Readonly<{
  isBusy: boolean
  steps: readonly TaskStep[]
  tokens: readonly TokenRow[]
  txs: readonly TxView[]
  network: WalletNetwork | undefined
  /** The chain that the wallet was last seen on; undefined while unknown. */
  chainId: number | undefined
  isSlow: boolean
}>

/** The initial state: nothing is known. */
export const NO_STATE: WalletState = {
  ...{ isBusy: false, steps: [], tokens: [], txs: [], isSlow: false },
  ...{ network: undefined, chainId: undefined },
}

type AccountState = Pick<
  SavedAccount,
  'kind' | 'walletId' | 'name' | 'address' | 'keys' | 'begunKeys' | 'begunDeposit'
>

/** Returns the view of a wallet, or of none. It contains no key. */
export function viewWallet(
  saved: AccountState | undefined,
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
      ? {
          walletNetwork: text.chain(chainId),
          venueNetwork: text.networkChain(network.name, network.chainId),
        }
      : undefined,
    unfinished: isBusy || saved === undefined ? '' : unfinishedText(saved),
  }
}

function unfinishedText({ keys, begunKeys, begunDeposit }: AccountState): string {
  const parts: string[] = []
  if (begunDeposit !== undefined)
    parts.push(text.unfinishedDeposit(`${begunDeposit.asked.amount} ${begunDeposit.asked.symbol}`))
  if (keys === undefined && begunKeys !== undefined) parts.push(text.unfinishedEnabling)
  return text.unfinishedSteps(parts)
}

/** Returns the wallet's own balance of each token. */
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
