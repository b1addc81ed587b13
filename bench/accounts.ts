// Measures pages of an account with about 10,000 fills and 1,000 resting orders, against the bare
// query of the same rows.
import { besideServices } from './services.ts'
import type { Section } from './table.ts'
import type { VersusOptions } from './versus.ts'

export const measureAccounts = ({ rounds, roundMs, connections }: VersusOptions) =>
  besideServices<Section>('./accounts-run.ts', [rounds, roundMs, connections].map(String))
