// Compares the settings of the keepers of a database: a standby with other settings would change
// what is done when it takes over.
import { randomBytes } from 'node:crypto'
import type { Announcements } from '@openvenue/store/db/announcements'
import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { KeeperSettings } from './config.ts'
import type { KeeperDeployment } from './deployment.ts'
import { relayerAddress } from './relayer/relayer.ts'
import { TASKS } from './task.ts'

/** Settings by the variable that sets them; no secrets. */
type RoleSettings = Readonly<Record<string, string>>

/** The settings of each role that a process may take over. */
type PeerSettings = Readonly<{ tasks?: RoleSettings; relayer?: RoleSettings }>

type Peer = Readonly<{ settings: PeerSettings; heardMs: number }>

/** Interval of announcements. */
export const ANNOUNCED_MS = 60_000
/** A keeper counts as ended after this time without an announcement. */
export const PEER_SILENCE_MS = 150_000
const ROLES = ['tasks', 'relayer'] as const
const ID_BYTES = 8

type PeersOptions = Readonly<{
  announcements: Announcements
  settings: PeerSettings
  clock: Clock
  log: Pick<Logger, 'info' | 'warn'>
  /** Called with the number of keepers whose settings differ. */
  onDiffering: (peers: number) => void
}>

type SettingsSource = Readonly<{
  settings: KeeperSettings
  deployment: KeeperDeployment
  chainId: number
  /** Address of the wallet of the tasks; undefined: this process has no tasks. */
  address: string | undefined
  hasPrices: boolean
  keptMs: number | undefined
}>

/** Returns the settings that take effect in this process. */
export function effectiveSettings(source: SettingsSource): PeerSettings {
  const { settings, deployment, chainId, address, hasPrices, keptMs } = source
  const { switches, relayer, feeCap, feeFloor, gasTip } = settings
  const common = {
    CHAIN_ID: String(chainId),
    DEPLOYMENT_FILE: JSON.stringify(deployment),
    KEEPER_FEE_CAP_GWEI: `${feeCap} wei`,
    FEE_FLOOR_GWEI: `${feeFloor} wei`,
    GAS_ESTIMATES: gasTip === undefined ? 'on' : `off, tip ${gasTip} wei`,
  }
  const isOn = (task: (typeof TASKS)[number]) => switches[task] && (task !== 'prices' || hasPrices)
  const tasks = TASKS.map((task) => [`KEEPER_${task.toUpperCase()}`, isOn(task) ? 'on' : 'off'])
  return {
    ...(address && { tasks: { ...common, KEEPER_KEY: address, ...Object.fromEntries(tasks) } }),
    ...(relayer && {
      relayer: {
        ...common,
        RELAY_KEYS: `${relayer.keys.length}, the first of ${relayerAddress(relayer)}`,
        RELAY_GAS_PER_BLOCK: String(relayer.gasPerBlock),
        INTENTS_KEPT_S: keptMs === undefined ? '' : String(keptMs / 1000),
      },
    }),
  }
}

/** Announces the settings and compares them with those of others, until `signal` aborts. */
export async function watchPeers(options: PeersOptions, signal: AbortSignal): Promise<void> {
  const { announcements, settings, clock, log, onDiffering } = options
  const id = randomBytes(ID_BYTES).toString('hex')
  const peers = new Map<string, Peer>()
  const warned = new Set<string>()
  const say = () =>
    announcements.announce(JSON.stringify({ id, settings })).catch(() => {
      // The database is down, which other parts report; the next announcement follows.
    })
  const report = () => {
    for (const [peer, { heardMs }] of peers)
      if (clock.nowMs() - heardMs >= PEER_SILENCE_MS) peers.delete(peer)
    const differing = [...peers].flatMap(([peer, { settings: others }]) => {
      const differences = compare(settings, others)
      return differences === undefined ? [] : [{ peer, differences }]
    })
    onDiffering(differing.length)
    for (const { peer, differences } of differing) {
      const key = `${peer} ${JSON.stringify(differences)}`
      if (warned.has(key)) continue
      warned.add(key)
      log.warn({ peer, differences }, 'another keeper has other settings: a failover changes them')
    }
  }
  const stop = announcements.onAnnounced((text) => {
    // This process may have missed announcements: its own has the others answer.
    if (text === undefined) return void say()
    const said = parse(text)
    if (said === undefined || said.id === id) return
    const isNew = !peers.has(said.id)
    peers.set(said.id, { settings: said.settings, heardMs: clock.nowMs() })
    if (isNew) void say()
    report()
  })
  while (!signal.aborted) {
    await clock.delay(ANNOUNCED_MS, signal)
    if (!signal.aborted) await say()
    report()
  }
  stop()
}

type Differences = Readonly<Record<string, Readonly<{ here: string; there: string }>>>

/** Returns what differs in roles that both may take over; undefined: nothing. */
function compare(here: PeerSettings, there: PeerSettings): Differences | undefined {
  const differences = ROLES.flatMap((role) => {
    const [own, other] = [here[role], there[role]]
    if (own === undefined || other === undefined) return []
    const names = [...new Set([...Object.keys(own), ...Object.keys(other)])]
    return names
      .filter((name) => own[name] !== other[name])
      .map((name) => [name, { here: own[name] ?? '', there: other[name] ?? '' }])
  })
  return differences.length === 0 ? undefined : Object.fromEntries(differences)
}

/** Returns undefined for an announcement of another version. */
function parse(text: string) {
  try {
    const { id, settings } = JSON.parse(text) as { id: unknown; settings: unknown }
    if (typeof id !== 'string' || typeof settings !== 'object' || settings === null)
      return undefined
    return { id, settings: settings as PeerSettings }
  } catch {
    return undefined
  }
}
