// GET /positions. Interface 2.10 and 4.4.
import { PositionsPage, PositionsQuery } from '@openvenue/wire/positions'
import { encodePositionItem, positionsPage } from '../account/account-positions.ts'
import { loadOwner } from '../account/owner.ts'
import { answerOnce } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { accountGet } from './account-route.ts'
import type { OwnerParts, Routes } from './route.ts'

export const positionRoutes: Routes<OwnerParts | 'authenticate'> = (host, deps) => {
  const { model } = deps
  accountGet(
    host,
    deps,
    {
      path: '/positions',
      isLive: true,
      below: '/positions',
      summary: 'Perpetual positions and spot holdings',
      query: PositionsQuery,
      body: PositionsPage,
    },
    ({ caller, query, reply }) =>
      loadOwner(deps, caller.account, (owner) => {
        const { rows, pagination } = positionsPage(model, owner, query)
        const positions = rows.map(encodePositionItem)
        const body = jsonBytes({ account: owner.wallet, positions, pagination })
        return answerOnce(reply, body, model.head)
      }),
  )
}
