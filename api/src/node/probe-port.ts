// Answers probes at a port of their own, from a thread of their own, so that they wait neither for
// the event loop of the node nor in the accept queue of its clients.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Readiness } from '@openvenue/wire/service'

/** Interval at which the node reports its state to the thread, ms. */
export const PROBE_BEAT_MS = 250
/** Time without a report after which the node counts as stalled, ms. */
export const PROBE_STALLED_MS = 2_000
/** Memory of the thread, MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

/** The last known state of the node. Without one, it is starting. */
export type ProbeState = Readonly<{
  readiness: Readiness
  isReady: boolean
  /** True when a load balancer should send requests here: see `checkReadiness`. */
  canServe: boolean
}>

export type ProbeOptions = Readonly<{ host: string; port: number; stalledMs: number }>

export type ProbePort = Readonly<{
  url: string
  report: (state: ProbeState) => void
  close: () => Promise<void>
}>

/** Listens at once. Rejects when the port is in use. */
export async function openProbePort({
  host,
  port,
  stalledMs = PROBE_STALLED_MS,
}: Omit<ProbeOptions, 'stalledMs'> & Partial<ProbeOptions>): Promise<ProbePort> {
  const options: ProbeOptions = { host, port, stalledMs }
  const worker = new Worker(new URL('./probe-thread.ts', import.meta.url), {
    workerData: options,
    resourceLimits: RESOURCE_LIMITS,
    execArgv: [],
  })
  // Rejects with the error of the thread, for which the process would end later.
  const [url] = (await once(worker, 'message')) as [string]
  return {
    url,
    report: (state) => worker.postMessage(state),
    close: async () => {
      await worker.terminate()
    },
  }
}

type ProbedNode = Readonly<{
  readiness: () => Promise<Readonly<{ readiness: Readiness; canServe: boolean }>>
  /** Aborted when the node begins to stop: it is not ready from then on. */
  stopping: Readonly<{ signal: AbortSignal }>
}>

type ReportOptions = Readonly<{
  /** Undefined: nothing is reported. */
  probePort?: ProbePort | undefined
  clock: Readonly<{ delay: (ms: number, signal: AbortSignal) => Promise<unknown> }>
}>

/** Reports the state until `closed` aborts. A check of the dependencies delays no report. */
export async function reportState(
  { readiness, stopping }: ProbedNode,
  { probePort, clock }: ReportOptions,
  closed: AbortSignal,
): Promise<void> {
  if (probePort === undefined) return
  let known = await readiness()
  while (!closed.aborted) {
    void readiness().then((fresh) => {
      known = fresh
    })
    const isStopping = stopping.signal.aborted
    probePort.report({
      readiness: known.readiness,
      isReady: known.readiness.status === 'ready' && !isStopping,
      canServe: known.canServe && !isStopping,
    })
    await clock.delay(PROBE_BEAT_MS, closed)
  }
}
