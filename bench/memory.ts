// Measures what an API node holds in memory: of a small venue, and of a large one at its start.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

const MARKETS = 200

export const measureMemory = (accounts: number): Promise<Section> =>
  besideServices<Section>('./memory-run.ts', [String(MARKETS), String(accounts)])
