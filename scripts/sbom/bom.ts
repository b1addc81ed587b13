// The bill of materials of this repository, in the form of CycloneDX: every package of
// package-lock.json with its version, licence and checksum. `npm sbom` refuses a lock file that
// holds programs for other systems than this one.

type LockedPackage = Readonly<{
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
}>
export type LockFile = Readonly<{
  name: string
  version: string
  packages: Readonly<Record<string, LockedPackage>>
}>

type Component = Readonly<{
  type: 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope: 'required' | 'optional' | 'excluded'
  licenses?: readonly Readonly<{ expression: string }>[]
  hashes?: readonly Readonly<{ alg: string; content: string }>[]
}>

const MODULES = 'node_modules/'
const ALGORITHMS: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha1: 'SHA-1' }

/** Returns the bill: the same for the same lock file, whoever makes it and when. */
export function makeBom({ name, version, packages }: LockFile) {
  const byUrl = new Map<string, Component>()
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '' || locked.link === true || !path.includes(MODULES)) continue
    const component = makeComponent(path, locked)
    // For a package in several places, the use by services counts.
    const before = byUrl.get(component.purl)
    if (before === undefined || rank(component) < rank(before)) byUrl.set(component.purl, component)
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': `${name}@${version}`, name, version },
    },
    components: [...byUrl.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
  } as const
}

const SCOPES = ['required', 'optional', 'excluded'] as const
const rank = ({ scope }: Component) => SCOPES.indexOf(scope)

function makeComponent(path: string, locked: LockedPackage): Component {
  const name = locked.name ?? path.slice(path.lastIndexOf(MODULES) + MODULES.length)
  const { version = '', license, integrity } = locked
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: scopeOf(locked),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity === undefined ? {} : { hashes: integrity.split(' ').map(hashOf) }),
  }
}

/** Packages of developers only are in no running service. */
function scopeOf({ dev, optional }: LockedPackage): Component['scope'] {
  if (dev === true) return 'excluded'
  return optional === true ? 'optional' : 'required'
}

function hashOf(integrity: string) {
  const at = integrity.indexOf('-')
  const alg = ALGORITHMS[integrity.slice(0, at)]
  if (alg === undefined) throw new Error(`integrity: got ${integrity}, expected a known checksum`)
  return { alg, content: Buffer.from(integrity.slice(at + 1), 'base64').toString('hex') }
}
