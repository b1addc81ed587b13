// The buckets of a node that limits public reads and nothing else: for tests.

import { type Rate, rateBuckets } from '../src/http/limits.ts'
import { ACCOUNT_SETTINGS } from '../src/node/account-settings.ts'

export const bucketsFor = (publicRate: Rate) =>
  rateBuckets({
    publicRate,
    privateRate: undefined,
    registerRate: undefined,
    settings: ACCOUNT_SETTINGS,
  })
