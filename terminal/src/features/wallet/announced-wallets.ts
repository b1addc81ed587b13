// Reads wallet announcements (EIP-6963), which any extension can make. A name is short text, an
// icon is a picture in a data: URI, and everything else is ignored.

/** The used part of EIP-1193. */
export type Provider = Readonly<{
  request: (call: Readonly<{ method: string; params: readonly unknown[] }>) => Promise<unknown>
  on?: (event: string, listener: () => void) => void
}>

export type WalletAnnouncement = Readonly<{
  /** Stable between visits, so that the wallet is found again. */
  id: string
  name: string
  /** A data: URI of a picture; empty if there is none. */
  icon: string
  provider: Provider
}>

const NAME_MAX = 32
const ID_MAX = 80
const ICON_MAX = 128 * 1024
const ICON = /^data:image\/(png|svg\+xml|webp|jpeg|gif)[;,]/i
/** Control and format characters, which could reverse a name or hide a part of it. */
const UNSEEN = /[\p{C}\p{Z}]+/gu

/** Returns the announced wallet; undefined if the event does not describe one. */
export function readAnnounced(detail: unknown): WalletAnnouncement | undefined {
  if (!isRecord(detail) || !isRecord(detail['info'])) return undefined
  const { info, provider } = detail
  if (!isProvider(provider)) return undefined
  const name = textOf(info['name'], NAME_MAX)
  if (name === '') return undefined
  const icon = info['icon']
  const isPicture = typeof icon === 'string' && icon.length <= ICON_MAX && ICON.test(icon)
  const id = textOf(info['rdns'], ID_MAX) || name
  return { id, name, icon: isPicture ? icon : '', provider }
}

/** Returns the wallets with one more; repeated announcements are merged. */
export function addWallet(
  wallets: readonly WalletAnnouncement[],
  wallet: WalletAnnouncement,
): readonly WalletAnnouncement[] {
  if (wallets.some(({ provider }) => provider === wallet.provider))
    return wallets.map((other) =>
      other.provider === wallet.provider ? { ...wallet, id: other.id } : other,
    )
  const same = wallets.filter(({ id }) => id === wallet.id || id.startsWith(`${wallet.id} #`))
  const id = same.length === 0 ? wallet.id : `${wallet.id} #${same.length + 1}`
  return [...wallets, { ...wallet, id }]
}

export const isProvider = (value: unknown): value is Provider =>
  isRecord(value) && typeof value['request'] === 'function'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

const textOf = (value: unknown, max: number): string =>
  typeof value === 'string' ? value.replaceAll(UNSEEN, ' ').trim().slice(0, max) : ''
