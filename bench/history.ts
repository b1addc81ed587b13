// Measures an account with millions of fills: stored totals against counting, and pages.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

export const measureHistory = (rows: number): Promise<Section> =>
  besideServices<Section>('./history-run.ts', [String(rows)])
