// Creates an empty database in the given directory, as a thread.
import { isMainThread, workerData } from 'node:worker_threads'
import { openStore } from '@openvenue/store/open'

if (!isMainThread) {
  const store = await openStore({ dataDir: String(workerData) })
  await store.close()
}
