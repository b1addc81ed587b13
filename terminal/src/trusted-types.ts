// The one place where text becomes markup or the URL of a script: markup that the build has made of
// the components, and the URL of the worker. Everything else that tries is stopped by the browser,
// where it knows Trusted Types.

type Policy = Readonly<{
  createHTML: (html: string) => string
  createScriptURL: (url: string) => string
}>
type Factory = Readonly<{ createPolicy: (name: string, rules: Policy) => Policy }>

const RULES: Policy = {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (new URL(url, location.href).origin === location.origin) return url
    throw new TypeError('a script is of the same origin as the page')
  },
}

/** The policy has the name that the header of the page allows, and can be made once. */
const { trustedTypes } = globalThis as { trustedTypes?: Factory }
const policy = trustedTypes?.createPolicy('openvenue', RULES) ?? RULES

/** Returns what a worker may be made of. */
export const trustedScript = (url: string): string => policy.createScriptURL(url)

/** Returns what makes a copy of the first node of `html`, as Solid's function of this name does. */
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
