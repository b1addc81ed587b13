// Finds the methods of an endpoint, for requests with another method.
import type { Host } from './host-type.ts'

/** Path parameters and the text that they match; others match anything but a slash. */
const PARAMETERS: Readonly<Record<string, string>> = { ':address': '0[xX][0-9a-fA-F]{40}' }
const ANY = '[^/]+'

type EndpointPattern = Readonly<{ pattern: RegExp; loose: RegExp; methods: readonly string[] }>

export class Endpoints {
  readonly #all: EndpointPattern[] = []

  /** Records every route added to `host` from now on. */
  constructor(host: Host) {
    host.addHook('onRoute', ({ url, method }) => {
      if (url.includes('*')) return
      const pattern = pathPattern(url, (name) => PARAMETERS[name] ?? ANY)
      const loose = pathPattern(url, () => ANY)
      this.#all.push({ pattern, loose, methods: [method].flat() })
    })
  }

  /** Returns the methods of the endpoint at `url`, none when there is no endpoint. */
  methodsAt(url: string): readonly string[] {
    const path = pathOf(url)
    const matches = this.#all.filter(({ pattern }) => pattern.test(path))
    return matches.length === 0
      ? []
      : [...new Set([...matches.flatMap(({ methods }) => methods), 'OPTIONS'])]
  }

  /** Returns whether `url` would be an endpoint if one of its segments were an address. */
  wantsAddress(url: string): boolean {
    const path = pathOf(url)
    return this.#all.some(({ loose }) => loose.test(path))
  }
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

const pathPattern = (url: string, parameter: (name: string) => string) =>
  new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, parameter)}/?$`)
