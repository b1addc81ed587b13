// Makes the wall clocks of the venue's machines jump; those of the chain and PostgreSQL do not.
import type { Drill } from '../drill.ts'

const HOUR_MS = 3_600_000
const SECONDS = 10

const clockDrill = (name: string, offsetMs: number, about: string): Drill => ({
  name,
  about: `the clock of every process of the venue is set ${about} for ${SECONDS} s`,
  run: async ({ services }, { hold }) => {
    for (const service of services) service.stepClock(offsetMs)
    await hold(SECONDS)
    for (const service of services) service.stepClock(0)
  },
})

export const CLOCK_DRILLS: readonly Drill[] = [
  clockDrill('clock-back', -HOUR_MS, 'back by an hour'),
  clockDrill('clock-forward', HOUR_MS, 'forward by an hour'),
]
