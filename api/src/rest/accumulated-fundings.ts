// GET /account/accumulated-fundings. Interface 2.10 and 4.4.
import { NoQuery } from '@openvenue/wire/account'
import { AccumulatedFundings, encodeAccumulatedFunding } from '@openvenue/wire/positions'
import { heldBy } from '../account/account-positions.ts'
import { loadOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const accumulatedFundingRoutes: Routes<OwnerParts | 'authenticate'> = (host, deps) => {
  const { model } = deps
  accountGet(
    host,
    deps,
    {
      path: '/account/accumulated-fundings',
      isLive: true,
      below: '/accumulated-fundings',
      summary: 'Funding of open perpetual positions',
      query: NoQuery,
      body: AccumulatedFundings,
    },
    ({ caller, reply }) =>
      loadOwner(deps, caller.account, (owner) => {
        const fundings = heldBy(model, owner, { instrument_type: 'PERPETUAL' }).flatMap(
          (position) =>
            position.type === 'PERPETUAL' ? [encodeAccumulatedFunding(position.facts)] : [],
        )
        const body = jsonBytes({ account: owner.wallet, accumulated_fundings: fundings })
        return answerOnce(reply, body, model.head)
      }),
  )
}
