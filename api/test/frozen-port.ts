// Opens a port as a starting node does, hands it over to a host if the argument is `host`, prints
// it, and freezes: only the kernel completes connections then.
import Fastify from 'fastify'
import type { Host } from '../src/http/host-type.ts'
import { openStartingPort } from '../src/http/starting-port.ts'

const opened = await openStartingPort({
  ...{ host: '127.0.0.1', port: 0, environment: 'test', version: '1.2.3' },
  ...{ trading: 'coming_soon', corsOrigins: [], awaiting: () => '' },
})
if (process.argv[2] === 'host') await opened.handOver(Fastify() as unknown as Host)
process.stdout.write(new URL(opened.url).port, () => process.kill(process.pid, 'SIGSTOP'))
