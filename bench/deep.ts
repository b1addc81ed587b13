// Measures candles that only the database has, against the bare query of the same rows.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'
import type { VersusOptions } from './versus.ts'

export const measureDeep = ({ rounds, roundMs, connections }: VersusOptions): Promise<Section> =>
  besideServices<Section>('./deep-run.ts', [rounds, roundMs, connections].map(String))
