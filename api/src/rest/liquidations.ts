// GET /liquidations: forced closes of all accounts, newest first, from the database.
import type { ForcedClose } from '@openvenue/core/records'
import {
  encodeLiquidation,
  LIQUIDATIONS_LIMIT_DEFAULT,
  Liquidations,
  LiquidationsQuery,
} from '@openvenue/wire/liquidations'
import { timeRangeOr400 } from '../account/account-filter.ts'
import { answerOnce, answers } from '../http/answer.ts'
import { jsonBytes } from '../http/cached-body.ts'
import { cursorParts, encodeCursor, invalidCursor, listPrint } from '../http/cursor.ts'
import { HEAVY_WEIGHT } from '../http/limits.ts'
import { orUnavailable } from '../http/refusals.ts'
import { marketOr404, NO_INSTRUMENT, type Routes, TAGS } from './route.ts'

const PLACE_ID = /^\d{12}-\d{6}$/
const refuses = [
  'INVALID_TIME_RANGE',
  'INVALID_CURSOR',
  'HISTORY_UNAVAILABLE',
  ...NO_INSTRUMENT,
] as const

export const liquidationRoutes: Routes<'model' | 'reader' | 'fresh'> = (host, deps) => {
  const { model, reader, fresh } = deps
  host.get(
    '/liquidations',
    {
      config: { weight: HEAVY_WEIGHT, refuses },
      schema: {
        tags: TAGS.trades,
        summary: 'Positions closed by force, newest first',
        querystring: LiquidationsQuery,
        response: answers(Liquidations),
      },
    },
    async ({ query }, reply) => {
      const { instrument_name: name, limit = LIQUIDATIONS_LIMIT_DEFAULT, cursor = '' } = query
      const market =
        name === undefined ? undefined : marketOr404(model, 'instrument_name', name).market.id
      const range = timeRangeOr400(query)
      const print = listPrint(['liquidations', market ?? '', range.fromSeconds, range.toSeconds])
      const before = cursor === '' ? undefined : decodeBefore(cursor, print)
      const { rows, head } = await orUnavailable(
        fresh.read((from) =>
          reader.forcedCloses({ market, ...range, before, limit: limit + 1 }, from),
        ),
      )
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      const next_cursor = last === undefined ? null : encodeCursor([print, last.seconds, last.id])
      return answerOnce(reply, jsonBytes({ liquidations: encode(shown), next_cursor }), head)
    },
  )

  /** Markets are never removed once their blocks are final. */
  function encode(rows: readonly ForcedClose[]) {
    return rows.flatMap((row) => {
      const live = model.market(row.market)
      return live === undefined ? [] : encodeLiquidation(live.market, row)
    })
  }
}

/** Returns the position of the last row of the page before. */
function decodeBefore(cursor: string, print: string): Readonly<{ seconds: number; id: string }> {
  const [list, seconds, id, ...rest] = cursorParts(cursor)
  const isValid = list === print && rest.length === 0 && Number.isSafeInteger(seconds)
  if (!isValid || typeof id !== 'string' || !PLACE_ID.test(id)) throw invalidCursor()
  return { seconds: seconds as number, id }
}
