// Measures the acceptance of orders (digest, signer, commit of the promise, receipt) against a bare
// server that recovers a signer and inserts the same row; then orders through a whole venue: an API
// node with its checks, the relayer and a chain.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

export async function measureOrders(seconds: number): Promise<readonly Section[]> {
  const args = [String(seconds)]
  const acceptance = await besideServices<Section>('./orders-run.ts', args)
  const whole = await besideServices<readonly Section[]>('./orders-whole-run.ts', args)
  return [acceptance, ...whole]
}
