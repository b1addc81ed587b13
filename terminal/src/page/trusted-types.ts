// The only place where text becomes markup or a script URL: markup compiled from components, and
// the URL of the worker. Browsers with Trusted Types block every other attempt.

type Policy = Readonly<{
  createHTML: (html: string) => string
  createScriptURL: (url: string) => string
}>
type Factory = Readonly<{ createPolicy: (name: string, rules: Policy) => Policy }>

const RULES: Policy = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin === location.origin) return url
    throw new TypeError('scripts must have the origin of the page')
  },
}

/** The page's header allows a policy of this name, which can be created only once. */
const { trustedTypes } = globalThis as { trustedTypes?: Factory }
const policy = trustedTypes?.createPolicy('openvenue', RULES) ?? RULES

export const trustedScript = (url: string): string => policy.createScriptURL(url)

/** Returns a function that clones the first node of `html`, like Solid's function of this name. */
export function template(html: string, isImported?: boolean, isSvg?: boolean): () => Node {
  let made: Node | undefined
  const make = (): Node => {
    const holder = document.createElement('template')
    holder.innerHTML = policy.createHTML(html)
    const first = holder.content.firstChild
    return (isSvg === true ? first?.firstChild : first) as Node
  }
  return () => {
    made ??= make()
    return isImported === true ? document.importNode(made, true) : made.cloneNode(true)
  }
}
