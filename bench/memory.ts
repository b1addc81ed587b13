// Measures the memory of an API node with a small venue, and with a large one at its start.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

const MARKETS = 200

export const measureMemory = (accounts: number): Promise<Section> =>
  besideServices<Section>('./memory-run.ts', [String(MARKETS), String(accounts)])
