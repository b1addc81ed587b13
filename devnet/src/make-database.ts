// Makes an empty database in the directory that it is given, as a thread of its own.
import { isMainThread, workerData } from 'node:worker_threads'
import { openStore } from '@openvenue/store/open'

if (!isMainThread) {
  const store = await openStore({ dataDir: String(workerData) })
  await store.close()
}
