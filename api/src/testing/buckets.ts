// The buckets of a node that limits public reads and nothing else: for tests.
import { ACCOUNT_SETTINGS } from '../account/settings.ts'
import { bucketsOf, type Rate } from '../limits.ts'

export const bucketsFor = (publicRate: Rate) =>
  bucketsOf({
    publicRate,
    privateRate: undefined,
    registerRate: undefined,
    settings: ACCOUNT_SETTINGS,
  })
