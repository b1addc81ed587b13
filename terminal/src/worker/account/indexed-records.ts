// Keeps records in IndexedDB, which keeps a key of WebCrypto without ever showing its bytes.
import type { Records } from './sealed-store.ts'

const DATABASE = 'openvenue'
const TABLE = 'sealed'

/** Opens the database of this origin. */
export function indexedRecords(): Records {
  const opening = open()
  const table = async (mode: IDBTransactionMode) =>
    (await opening).transaction(TABLE, mode).objectStore(TABLE)
  return {
    read: async (name) => settled((await table('readonly')).get(name)),
    write: async (name, record) => {
      await settled((await table('readwrite')).put(record, name))
    },
    clear: async () => {
      await settled((await table('readwrite')).clear())
    },
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE)
  return settled(request)
}

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
