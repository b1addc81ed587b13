// The operator's settings of wallets and keys. One environment variable each.
import type { SecretSeal } from './secret-seal.ts'

export type IdentitySettings = Readonly<{
  chainId: number
  /** Name in the typed-data domain of Register and SignKey. */
  domainName: string
  /** The contract of accounts; undefined: keys are not registered on the chain. */
  accountsContract: string | undefined
  /** Address that cancels for accounts that allow it; undefined: the venue has no canceller. */
  cancellerAddress: string | undefined
  /** Maximum lifetime of an API key, seconds. */
  keyTtlMaxSeconds: number
  keysPerAccountMax: number
  isInviteOnly: boolean
  /** Seals secrets of signing keys; undefined: keys cannot sign. */
  secretSeal: SecretSeal | undefined
  /** Brands of the legacy headers `<BRAND>-KEY`, `<BRAND>-SECRET` and so on, upper case. */
  headerBrands: readonly string[]
}>
