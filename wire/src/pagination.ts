// Keyset pagination of lists. Interface 2.9 and section 8.
import Type, { type Static } from 'typebox'
import { choice, limit, named, nullable } from './field.ts'

/** Interface 8: account lists with cursors. */
export const PAGE_LIMIT_DEFAULT = 50
const PAGE_LIMIT_MAX = 1000

export const Pagination = named(
  'Pagination',
  {
    next_cursor: nullable(Type.String({ description: 'For direction=next.' })),
    prev_cursor: nullable(Type.String({ description: 'For direction=prev.' })),
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
    limit: Type.Integer(),
    total_count: Type.Integer({ description: 'Rows of the whole list with the same filters.' }),
    total_pages: Type.Integer(),
    total_is_exact: Type.Optional(
      Type.Literal(false, {
        description:
          'The list has at least total_count rows: the time range splits a day with very many of them. Absent if exact.',
      }),
    ),
  },
  'Position of the page in its list.',
)
export type Pagination = Static<typeof Pagination>

/** The query parameters of a page. */
export const pageParameters = {
  limit: limit(PAGE_LIMIT_MAX, PAGE_LIMIT_DEFAULT),
  cursor: Type.Optional(
    Type.String({ description: 'next_cursor or prev_cursor of an answer to the same query.' }),
  ),
  direction: Type.Optional(
    choice(['next', 'prev'], {
      default: 'next',
      description: 'Direction from the cursor: use next with next_cursor.',
    }),
  ),
}

/** Path parameters by name, with their descriptions. */
export type PathDescriptions = Readonly<Record<string, string>>

/** Returns the schema of a path with these parameters. */
export const pathSchema = (words: PathDescriptions) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(words).map(([name, description]) => [name, Type.String({ description })]),
    ),
  )

/** Path parameter of the account endpoints: `/account/:address/...`. */
export const ADDRESS_WORDS: PathDescriptions = { address: "The key's account, case-insensitive." }
