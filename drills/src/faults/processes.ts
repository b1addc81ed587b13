// Processes that are suspended, and processes that are killed.
import type { Drill } from '../drill.ts'
import type { Service } from '../venue/service.ts'
import type { Venue } from '../venue/venue.ts'

const STOP_SECONDS = 12
const DOWN_SECONDS = 6

type PickService = (venue: Venue) => Promise<Service>

const PICKS: Readonly<Record<string, PickService>> = {
  indexer: async (venue) => (await venue.pair('indexers')).leader,
  keeper: async (venue) => (await venue.pair('keepers')).leader,
  api: async ({ parts }) => parts.apis[0] as Service,
}

const LABELS: Readonly<Record<string, string>> = {
  indexer: 'the leading indexer',
  keeper: 'the leading keeper',
  api: 'an API node',
}

const stopDrill = ([name, pick]: [string, PickService]): Drill => ({
  name: `stop-${name}`,
  about: `${LABELS[name]} is stopped (SIGSTOP) for ${STOP_SECONDS} s, then resumed`,
  run: async (venue, { hold }) => {
    const service = await pick(venue)
    service.signal('SIGSTOP')
    await hold(STOP_SECONDS)
    service.signal('SIGCONT')
  },
})

const SHORT: ReadonlySet<string> = new Set(['indexer', 'api'])

const killDrill = ([name, pick]: [string, PickService]): Drill => ({
  name: `kill-${name}`,
  about: `${LABELS[name]} is killed, and restarted after ${DOWN_SECONDS} s`,
  ...(SHORT.has(name) ? { isShort: true } : {}),
  run: async (venue, { hold }) => {
    const service = await pick(venue)
    await service.kill()
    await hold(DOWN_SECONDS)
    service.start()
  },
})

export const PROCESS_DRILLS: readonly Drill[] = [
  ...Object.entries(PICKS).map(stopDrill),
  ...Object.entries(PICKS).map(killDrill),
  {
    name: 'kill-everything',
    about: 'every process of the venue is killed at once, and restarted',
    run: async ({ services }, { hold }) => {
      await Promise.all(services.map((service) => service.kill()))
      await hold(1)
      for (const service of services) service.start()
    },
  },
]
