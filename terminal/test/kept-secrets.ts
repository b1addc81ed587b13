// Decrypts the account data in the browser, as only the page itself can, and searches for its
// secrets in places where they must not be.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

/** All secrets with which an account can be used. */
export type Secrets = Readonly<{
  walletKey: string
  signingKey: string
  apiKey: Readonly<{ key: string; secret: string }>
}>

/** Outputs of a page that others can see: requested URLs and console messages. */
export type Traces = Readonly<{ urls: string[]; said: string[] }>

/** Records the outputs of a page from now on, including those of its worker. */
export function watchTraces(page: Page): Traces {
  const [urls, said]: [string[], string[]] = [[], []]
  page.on('request', (request) => urls.push(request.url()))
  page.on('websocket', (socket) => urls.push(socket.url()))
  page.on('framenavigated', (frame) => urls.push(frame.url()))
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(`${error.stack}`))
  page.on('worker', (worker) => worker.on('console', (message) => said.push(message.text())))
  return { urls, said }
}

type StoredSecrets = Readonly<{
  /** Name, type and bytes (as text) of each record. */
  records: readonly Readonly<{ name: string; kind: string; text: string }>[]
  /** Each encrypted record after decryption with the browser's own key. */
  opened: readonly string[]
  /** The browser's answer to an attempt to export its key. */
  exported: string
}>

type SealedRecord = Readonly<{ iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer }>
type Table = readonly (readonly [name: string, value: unknown])[]

/** Returns everything that IndexedDB holds for this origin. */
export async function readKept(page: Page): Promise<StoredSecrets> {
  const table = await page.evaluateHandle(readTable)
  return { ...(await table.evaluate(describeTable)), ...(await table.evaluate(openTable)) }
}

async function readTable(): Promise<Table> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const all: [string, unknown][] = []
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await settled(indexedDB.open(name))
    for (const store of db.objectStoreNames) {
      const table = db.transaction(store).objectStore(store)
      const names = settled(table.getAllKeys())
      const values = await settled(table.getAll())
      for (const [at, key] of (await names).entries()) all.push([`${key}`, values[at]])
    }
    db.close()
  }
  return all
}

function describeTable(table: Table): Pick<StoredSecrets, 'records'> {
  const records = table.map(([name, value]) => {
    if (value instanceof CryptoKey) {
      const { type, extractable, usages } = value
      return { name, kind: `${type} ${extractable} ${usages.join(' ')}`, text: '' }
    }
    const { iv, bytes, ...others } = value as Partial<SealedRecord>
    if (iv === undefined || bytes === undefined)
      return { name, kind: 'plain', text: JSON.stringify(value) }
    const hex = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0'))
    const text = hex.join('') + new TextDecoder().decode(bytes)
    return { name, kind: `sealed ${iv.length}${Object.keys(others)}`, text }
  })
  return { records }
}

async function openTable(table: Table): Promise<Omit<StoredSecrets, 'records'>> {
  const key = table.map(([, value]) => value).find((value) => value instanceof CryptoKey)
  if (key === undefined) return { opened: [], exported: '' }
  const opened: string[] = []
  for (const [name, value] of table) {
    const { iv, bytes } = value as Partial<SealedRecord>
    if (iv === undefined || bytes === undefined) continue
    const additionalData = new TextEncoder().encode(name)
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
    opened.push(new TextDecoder().decode(text))
  }
  const exported = await crypto.subtle.exportKey('raw', key).then(
    () => 'its bytes',
    (error: Error) => error.name,
  )
  return { opened, exported }
}

/** Returns the secrets of the page's account, which has a test wallet. */
export async function readSecrets(page: Page): Promise<Secrets> {
  const { opened } = await readKept(page)
  const account = opened
    .map((text) => JSON.parse(text) as { walletKey?: string; keys?: Omit<Secrets, 'walletKey'> })
    .find(({ keys }) => keys !== undefined)
  const { walletKey = '', keys } = account ?? {}
  assert.ok(keys !== undefined, 'the account has keys')
  const { signingKey, apiKey } = keys
  for (const key of [walletKey, signingKey]) assert.match(key, /^0x[0-9a-f]{64}$/)
  assert.ok(apiKey.key.length >= 16 && apiKey.secret.length >= 16)
  return { walletKey, signingKey, apiKey }
}

/** Returns the secrets as searchable text, without prefixes of numbers. */
export const wordsOf = ({ walletKey, signingKey, apiKey }: Secrets): readonly string[] =>
  [walletKey, signingKey, apiKey.key, apiKey.secret].map((text) => text.replace(/^0x/, ''))

/** Finds secrets in texts, in any case and as encoded in URLs; each with its text. */
export const findSecrets = (
  words: readonly string[],
  texts: readonly string[],
): readonly string[] =>
  texts.flatMap((text) => {
    const lower = `${text} ${decoded(text)}`.toLowerCase()
    return words
      .filter((word) => lower.includes(word.toLowerCase()))
      .map((word) => `${word.slice(0, 6)}… in ${text.slice(0, 120)}`)
  })

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the page's other storage, and its visible content. */
export const readStores = (page: Page) =>
  page.evaluate(async () => ({
    local: JSON.stringify(localStorage),
    localNames: Object.keys(localStorage),
    session: JSON.stringify(sessionStorage),
    cookies: document.cookie,
    caches: (await caches.keys()).join(),
    href: location.href,
    name: window.name,
  }))
