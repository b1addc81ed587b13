// Checks this program and the file of the network, without network access.
import { credentialsPath, isOpenToOthers, modeOf } from '../../credentials.ts'
import { DEFAULT_NETWORK } from '../../networks.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'
import { type Finding, fail, look, ok, warn } from './finding.ts'

const NODE_MAJOR_MIN = 20

export async function fileChecks(session: Session): Promise<Finding[]> {
  return [versions(session), await file(session)]
}

function versions({ host: { nodeVersion } }: Session): Finding {
  const facts = `openvenue ${VERSION}, Node ${nodeVersion}`
  const isOld = Number(nodeVersion.split('.', 1)[0]) < NODE_MAJOR_MIN
  return isOld
    ? fail('versions', facts, `use Node ${NODE_MAJOR_MIN} or newer`)
    : ok('versions', facts)
}

function file({ host, selection: wanted }: Session): Promise<Finding> {
  const path = credentialsPath(host.env, host.homeDir, wanted.name ?? DEFAULT_NETWORK)
  return look('file', `check owner and mode of ${path}`, async () => {
    const mode = await modeOf(path)
    if (mode === undefined)
      return warn('file', `${path}: none`, 'openvenue keys new (or set OPENVENUE_… variables)')
    const facts = `${path}, mode ${mode.toString(8)}`
    if (isOpenToOthers(mode)) return fail('file', facts, `chmod 600 '${path}'`)
    return ok('file', facts)
  })
}
