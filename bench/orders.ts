// Measures the acceptance of orders (digest, signer, the commit of the promise, the receipt)
// against a bare server that recovers a signer and inserts the same row.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

export const measureOrders = (seconds: number) =>
  besideServices<Section>('./orders-run.ts', [String(seconds)])
