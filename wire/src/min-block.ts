// The query parameter of every GET whose answer shows a block: the oldest acceptable block.
import Type, { type Static, type TSchema } from 'typebox'

const min_block = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The answer is at this block or a later one. Waits until the node has it, at most 2 s.',
  }),
)

const MinBlock = Type.Object({ min_block })
export type MinBlock = Static<typeof MinBlock>

/** Returns the parameters of a query with `min_block` appended. */
export const withMinBlock = (query: unknown): TSchema =>
  query === undefined ? MinBlock : Type.Object({ ...members(query), min_block })

const members = (query: unknown) => (query as { properties: Record<string, TSchema> }).properties
