// Prometheus metrics of the message server, as text: every service has the same ones.
import { type Broadcast, OUTCOMES } from './broadcast.ts'

/** Returns the text of /metrics about `broadcast`; empty without one. */
export function broadcastMetrics(broadcast: Broadcast | undefined): string {
  if (broadcast === undefined) return ''
  const counts = (['feed', 'intents'] as const).flatMap((stream) =>
    OUTCOMES.map((outcome) => {
      const count = broadcast.counts(stream)[outcome]
      return `openvenue_nats_messages_total{stream="${stream}",outcome="${outcome}"} ${count}`
    }),
  )
  return `
# HELP openvenue_nats_connected 1 while the process has a session with NATS
# TYPE openvenue_nats_connected gauge
openvenue_nats_connected ${broadcast.hasSession() ? 1 : 0}
# HELP openvenue_nats_messages_total Messages sent and received, by outcome
# TYPE openvenue_nats_messages_total counter
${counts.join('\n')}
`
}
