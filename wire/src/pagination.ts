// Pages of a list by keyset cursor. Interface 2.9 and section 8.
import Type, { type Static } from 'typebox'
import { choice, limit, named, nullable } from './field.ts'

/** Interface 8: cursor-paginated account lists. */
export const PAGE_LIMIT_DEFAULT = 50
export const PAGE_LIMIT_MAX = 1000

export const Pagination = named(
  'Pagination',
  {
    next_cursor: nullable(Type.String({ description: 'Goes with direction=next.' })),
    prev_cursor: nullable(Type.String({ description: 'Goes with direction=prev.' })),
    has_next: Type.Boolean(),
    has_prev: Type.Boolean(),
    limit: Type.Integer(),
    total_count: Type.Integer({ description: 'Rows of the whole list under the same filters.' }),
    total_pages: Type.Integer(),
    total_is_exact: Type.Optional(
      Type.Literal(false, {
        description:
          'There are at least total_count rows: the range of time cuts a day with very many of them. Absent while exact.',
      }),
    ),
  },
  'Where the page stands in its list.',
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
      description: 'Which way to go from the cursor: next_cursor goes with next.',
    }),
  ),
}

/** Parameters of a path, by name, with what each is. */
export type PathWords = Readonly<Record<string, string>>

/** Returns the schema of a path with these parameters. */
export const pathSchema = (words: PathWords) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(words).map(([name, description]) => [name, Type.String({ description })]),
    ),
  )

/** Of the path of an account's endpoints: `/account/:address/...`. */
export const ADDRESS_WORDS: PathWords = { address: "The key's account, in any case." }
