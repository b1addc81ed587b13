// Requests an account's pages with its key.
import {
  type Registration,
  type RegistrationRequest,
  registerWallet,
} from '@openvenue/devnet/registration'
import { ask as askPage, type BlockAnswer } from './probe.ts'

const HOUR_SECONDS = 3600
const PAGE_MAX = 1000

export type AccountRow = Readonly<Record<string, string | number | boolean | null>>

export type AccountClient = Readonly<{
  registered: Registration
  headers: Readonly<Record<string, string>>
  /** Sends a request; throws unless the answer is 200 with its block. */
  ask(path: string): Promise<BlockAnswer>
  /** Reads every row of a paged list, `limit` at a time. */
  all(path: string, list: string): Promise<readonly AccountRow[]>
}>

/** Registers an account of the mnemonic at a venue, for an hour. */
export async function openAccount(
  { apiUrl }: Readonly<{ apiUrl: string }>,
  index: number,
  options: Pick<RegistrationRequest, 'subAccount' | 'signingPrivateKey' | 'isOnChain'> = {},
): Promise<AccountClient> {
  const expirySeconds = Math.floor(Date.now() / 1000) + HOUR_SECONDS
  const registered = await registerWallet({ apiUrl, index, expirySeconds, ...options })
  const { key, secret } = registered.apiKey
  const headers = { 'api-key': key, 'api-secret': secret }
  const ask = (path: string) => askPage(apiUrl, path, headers)
  return { registered, headers, ask, all: (path, list) => allRows(ask, path, list) }
}

type AccountPage = Readonly<{ pagination: Readonly<{ next_cursor: string | null }> }> &
  Readonly<Record<string, readonly AccountRow[]>>

async function allRows(
  ask: AccountClient['ask'],
  path: string,
  list: string,
): Promise<AccountRow[]> {
  const rows: AccountRow[] = []
  const first = `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE_MAX}`
  let next: string | null = first
  while (next !== null) {
    const page = (await ask(next)).body as AccountPage
    rows.push(...(page[list] ?? []))
    const cursor: string | null = page.pagination.next_cursor
    next = cursor === null ? null : `${first}&cursor=${encodeURIComponent(cursor)}`
  }
  return rows
}
