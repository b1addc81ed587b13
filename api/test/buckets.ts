// The buckets of a node that limits public reads and nothing else: for tests.
import { ACCOUNT_SETTINGS } from '../src/account/settings.ts'
import { bucketsOf, type Rate } from '../src/http/limits.ts'

export const bucketsFor = (publicRate: Rate) =>
  bucketsOf({
    publicRate,
    privateRate: undefined,
    registerRate: undefined,
    settings: ACCOUNT_SETTINGS,
  })
