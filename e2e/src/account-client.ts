// Asks for an account's pages with its key.
import type { Devnet } from '@openvenue/devnet/devnet'
import {
  type Registered,
  type RegistrationRequest,
  registerWallet,
} from '@openvenue/devnet/registration'
import type { Answer } from './answers.ts'

const HOUR_SECONDS = 3600
const PAGE_MAX = 1000

export type AccountRow = Readonly<Record<string, string | number | boolean | null>>

export type AccountClient = Readonly<{
  registered: Registered
  headers: Readonly<Record<string, string>>
  /** Asks; throws unless the answer is 200 with its block. */
  ask(path: string): Promise<Answer>
  /** Reads every row of a paged list, `limit` at a time. */
  all(path: string, list: string): Promise<readonly AccountRow[]>
}>

/** Registers an account of the mnemonic at a venue, for an hour. */
export async function openAccount(
  {
    apiUrl,
    deployment,
  }: Pick<Devnet, 'apiUrl'> & { deployment: Pick<Devnet['deployment'], 'chainId' | 'accounts'> },
  index: number,
  {
    isOnChain = false,
    domainName = 'openvenue',
    ...also
  }: Pick<RegistrationRequest, 'subAccount' | 'signingPrivateKey'> & {
    isOnChain?: boolean
    domainName?: string
  } = {},
): Promise<AccountClient> {
  const registered = await registerWallet({
    apiUrl,
    chainId: deployment.chainId,
    domainName,
    index,
    expirySeconds: Math.floor(Date.now() / 1000) + HOUR_SECONDS,
    ...(isOnChain ? { accountsContract: deployment.accounts } : {}),
    ...also,
  })
  const headers = { 'api-key': registered.apiKey, 'api-secret': registered.apiSecret }
  const ask = async (path: string): Promise<Answer> => {
    const response = await fetch(new URL(path, apiUrl), { headers })
    const block = response.headers.get('x-block-number')
    if (response.status !== 200 || block === null)
      throw new Error(`${path} answers 200 with its block (${response.status}, ${block})`)
    const hash = response.headers.get('x-block-hash') ?? ''
    return { block: Number(block), hash, body: await response.json() }
  }
  return { registered, headers, ask, all: (path, list) => allRows(ask, path, list) }
}

type Page = Readonly<{ pagination: Readonly<{ next_cursor: string | null }> }> &
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
    const page = (await ask(next)).body as Page
    rows.push(...(page[list] ?? []))
    const cursor: string | null = page.pagination.next_cursor
    next = cursor === null ? null : `${first}&cursor=${encodeURIComponent(cursor)}`
  }
  return rows
}
