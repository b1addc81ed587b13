// Checks that contracts which delegate to one another do not hide each other's functions: they
// share one address, where the first one with a selector handles it.

/** The functions of a contract: selectors by signature. */
export type Methods = Readonly<Record<string, string>>

/**
 * Throws when a contract hides a function of another. A function that all of them have belongs to
 * their common base and is identical in each.
 */
export function requireOneAnswer(contracts: Readonly<Record<string, Methods>>): void {
  const answers = new Map<string, Map<string, string>>()
  for (const [contract, methods] of Object.entries(contracts)) {
    for (const [signature, selector] of Object.entries(methods)) {
      const bySelector = answers.get(selector) ?? new Map<string, string>()
      answers.set(selector, bySelector.set(contract, signature))
    }
  }
  const count = Object.keys(contracts).length
  for (const [selector, signatures] of answers) {
    const isAlone = signatures.size === 1
    const isBase = signatures.size === count && new Set(signatures.values()).size === 1
    if (isAlone || isBase) continue
    const names = [...signatures].map(([contract, signature]) => `${contract}.${signature}`)
    throw new Error(`selector ${selector} is shared by ${names.join(' and ')}`)
  }
}
