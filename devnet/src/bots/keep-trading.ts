// Keeps the traders trading through the venue: what is away is waited for, and begun anew with the
// orders that are there.
import { setTimeout as sleep } from 'node:timers/promises'
import { MARKETS } from '../markets.ts'
import { marketsAt, type Pace } from '../pace.ts'
import type { Random } from '../random.ts'
import { ROLES } from '../roles.ts'
import { BotTrading } from './bot-trading.ts'
import { forgetCredentials, getCredentials, type Registry } from './credentials.ts'
import { CredentialsStale } from './trader.ts'

type Keeping = Readonly<{
  registry: Registry
  pace: Pace
  random: Random
  warn(text: string): void
}>

const PAUSE_MS_MIN = 500
const PAUSE_MS_MAX = 10_000
/** Who traded for so long has begun well. */
const WELL_MS = 20_000

/** Never returns. An outage is said once. */
export async function keepBotsTrading(keeping: Keeping): Promise<never> {
  for (let pauseMs = PAUSE_MS_MIN; ; ) {
    const startMs = Date.now()
    const failure = await trade(keeping).catch((error: unknown) => error)
    if (failure instanceof CredentialsStale) forgetCredentials(keeping.registry)
    if (Date.now() - startMs > WELL_MS) pauseMs = PAUSE_MS_MIN
    if (pauseMs === PAUSE_MS_MIN) keeping.warn(`the venue is waited for (${String(failure)})`)
    await sleep(pauseMs)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)
  }
}

/** Connects and trades until something fails. */
async function trade({ registry, pace, random }: Keeping): Promise<never> {
  const credentials = await Promise.all(
    ROLES.traders.map((index) => getCredentials(registry, index)),
  )
  const { apiUrl } = registry
  const trading = await BotTrading.open({ apiUrl, credentials, markets: MARKETS, random })
  try {
    for (let look = 0; ; look++) {
      const startMs = Date.now()
      await trading.act(marketsAt(look, pace), pace)
      await sleep(Math.max(0, pace.lookMs - (Date.now() - startMs)))
    }
  } finally {
    trading.close()
  }
}
