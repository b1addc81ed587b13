// Measures an account with millions of fills: totals as they are kept against counting, and pages.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'

export const measureHistory = (rows: number): Promise<Section> =>
  besideServices<Section>('./history-run.ts', [String(rows)])
