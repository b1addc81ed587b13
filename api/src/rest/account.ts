// GET /account and the endpoints of its parts. Interface 2.8 and 4.4.
import { AccountObject, Collaterals, Leverages, NoQuery } from '@openvenue/wire/account'
import type { TSchema } from '@openvenue/wire/field'
import type { Overview } from '../account/overview.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { minBlock } from '../http/min-block.ts'
import { accountGet } from './account-route.ts'
import type { Routes } from './route.ts'

export const accountRoutes: Routes<'overviews' | 'authenticate'> = (host, deps) => {
  const add = (
    path: string,
    [summary, body]: readonly [string, TSchema],
    encode: (overview: Overview) => Buffer,
  ) =>
    accountGet(
      host,
      deps,
      { path: `/account${path}`, below: path, isLive: true, summary, query: NoQuery, body },
      async ({ caller, reply }) => {
        const overview = await deps.overviews.since(caller.account, minBlock(reply.request))
        return answerOnce(reply, encode(overview), overview.head, { currentMs: overview.currentMs })
      },
    )
  add('', ['The account at one block', AccountObject], ({ bytes }) => bytes)
  add('/collaterals', ['Tokens of the account', Collaterals], ({ object }) =>
    jsonBytes({ account: object.account, collaterals: object.collaterals }),
  )
  add('/leverages', ['Leverage in every perpetual market', Leverages], ({ object }) =>
    jsonBytes({ account: object.account, leverages: object.leverages }),
  )
}
