// The catalogue of error codes: what each means, and what a client does about it.
import Type, { type Static } from 'typebox'
import { choice, named, nullable } from './field.ts'

const Retry = choice(['wait', 'backoff', 'act', 'change'], {
  title: 'Retry',
  description:
    'What may help. wait: the same request, after retry_after of the answer (Retry-After); ' +
    'backoff: the same request, after growing pauses of your own; act: the same request, once ' +
    'what `action` says is done; change: another request alone.',
})

/** Returns the schema of the catalogue of `codes`, each with its message. */
export const errorCatalogue = (codes: Readonly<Record<string, string>>) => {
  const Code = choice(Object.keys(codes), {
    title: 'RefusalCode',
    description: 'Codes of refusals; a newer venue may have more.',
    'x-enum-descriptions': codes,
  })
  return named(
    'ErrorCatalogue',
    {
      errors: Type.Array(
        named('ErrorEntry', {
          code: Code,
          status: nullable(
            Type.Integer({ description: 'Of HTTP; null where sockets alone have the code.' }),
          ),
          message: Type.String({
            description: 'What it means. A refusal may say it more exactly, in its own message.',
          }),
          retry: Retry,
          details: Type.Array(Type.String(), {
            description:
              'Members of each item of `details`, all but field optional, beside code and ' +
              'message; a point leads into facts. Empty: the refusal has no details.',
          }),
          action: Type.String({ description: 'What to do about it.' }),
        }),
        { description: 'Sorted by code.' },
      ),
    },
    'Every code by which REST and the sockets refuse.',
  )
}
export type ErrorCatalogue = Static<ReturnType<typeof errorCatalogue>>
