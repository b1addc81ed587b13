// Says which methods the endpoint of a URL has, for requests that came with another.
import type { Host } from './host-type.ts'

/** A parameter of a path and the text it stands for; any but a slash where it is not listed. */
const PARAMETERS: Readonly<Record<string, string>> = { ':address': '0[xX][0-9a-fA-F]{40}' }
const ANY = '[^/]+'

type Endpoint = Readonly<{ pattern: RegExp; loose: RegExp; methods: readonly string[] }>

export class Endpoints {
  readonly #all: Endpoint[] = []

  /** Hears of every route that `host` is given from now on. */
  constructor(host: Host) {
    host.addHook('onRoute', ({ url, method }) => {
      if (url.includes('*')) return
      const pattern = pathPattern(url, (name) => PARAMETERS[name] ?? ANY)
      const loose = pathPattern(url, () => ANY)
      this.#all.push({ pattern, loose, methods: [method].flat() })
    })
  }

  /** Returns the methods of the endpoint at `url`, none where there is no endpoint. */
  methodsAt(url: string): readonly string[] {
    const path = pathOf(url)
    const found = this.#all.filter(({ pattern }) => pattern.test(path))
    return found.length === 0
      ? []
      : [...new Set([...found.flatMap(({ methods }) => methods), 'OPTIONS'])]
  }

  /** True where `url` would be an endpoint, were one of its segments an address. */
  wantsAddress(url: string): boolean {
    const path = pathOf(url)
    return this.#all.some(({ loose }) => loose.test(path))
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

const pathPattern = (url: string, parameter: (name: string) => string) =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, parameter)}/?$`)
