// GET /abi/{name}.json: the ABIs of the contracts that /info names, as compiled.
import { AbiItems } from '@openvenue/wire/info'
import { pathSchema } from '@openvenue/wire/pagination'
import { answerOnce, answers } from '../http/answer.ts'
import { Refusal } from '../http/refusals.ts'
import { mismatchText } from '../http/validation.ts'
import { ABI_NAMES, type AbiName, abiFile, readAbi } from './abi-files.ts'
import { type Routes, TAGS } from './route.ts'

/** Clients check again after a quarter of an hour, since a release may change an ABI. */
const CACHE_CONTROL = 'public, max-age=900'
const REFUSES = ['ABI_NOT_FOUND'] as const
/** Keyed by file name: no other file is ever read. */
const BY_FILE = new Map(ABI_NAMES.map((name) => [abiFile(name), name]))

export const abiRoutes: Routes = (host) => {
  const bodies = new Map<AbiName, Buffer>()
  const bodyOf = async (name: AbiName): Promise<Buffer> => {
    const body = bodies.get(name) ?? (await readAbi(name))
    bodies.set(name, body)
    return body
  }
  const schema = {
    tags: TAGS.service,
    summary: 'ABI of a contract of /info, as a JSON array',
    params: pathSchema({ file: `One of ${[...BY_FILE.keys()].join(', ')}.` }),
    response: answers(AbiItems),
  }
  const config = { isOffChain: true, refuses: REFUSES }
  host.get('/abi/:file', { schema, config }, async (request, reply) => {
    const name = BY_FILE.get(request.params.file ?? '')
    if (name === undefined) throw abiNotFound(request.params.file)
    const body = await bodyOf(name)
    return answerOnce(reply.header('cache-control', CACHE_CONTROL), body)
  })
}

function abiNotFound(file: string | undefined): Refusal {
  const code = 'ABI_NOT_FOUND'
  const allowed = [...BY_FILE.keys()]
  const message = `file is unknown: ${mismatchText(`one of ${allowed.join(', ')}`, file)}`
  return new Refusal(code, { details: [{ field: 'file', code, message, allowed }] })
}
