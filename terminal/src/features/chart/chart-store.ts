// Keeps drawings of the chart in the browser: IndexedDB, a record for each name.
// A browser may refuse storage: then nothing is kept.

const DATABASE = 'openvenue-chart'
const TABLE = 'kept'

/** Returns a record; undefined if there is none. */
export const readKept = (name: string): Promise<unknown> =>
  inTable('readonly', (table) => table.get(name)).catch(() => undefined)

export const writeKept = (name: string, record: unknown): Promise<unknown> =>
  inTable('readwrite', (table) => table.put(record, name)).catch(() => undefined)

async function inTable(
  mode: IDBTransactionMode,
  work: (table: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(DATABASE)
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE)
  const database = await resultOf(opening)
  try {
    return await resultOf(work(database.transaction(TABLE, mode).objectStore(TABLE)))
  } finally {
    database.close()
  }
}

const resultOf = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('IndexedDB: got no result'))
  })
