// Finds the waits of a test: own poll loops, and sleeps that wait for time, not for a condition.
import { stripTypeScriptTypes } from 'node:module'
import { type AnyNode, parse } from 'acorn'

/** A function called `until`, a loop that sleeps between its rounds, or a sleep anywhere else. */
type TestWait = Readonly<{ kind: 'until' | 'loop' | 'sleep'; line: number }>

const LOOPS = ['WhileStatement', 'DoWhileStatement', 'ForStatement']
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const SLEEPS = ['setTimeout', 'delay', 'sleep']

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value

const children = (node: AnyNode): readonly AnyNode[] => Object.values(node).flat().filter(isNode)

const isFunction = ({ type }: AnyNode) => FUNCTIONS.includes(type)

const nameOf = (node: AnyNode) => (node.type === 'Identifier' ? node.name : '')

/** Returns true for a call of a sleep, directly or within the argument of `new Promise`. */
function sleeps(node: AnyNode): boolean {
  if (node.type === 'CallExpression' && SLEEPS.includes(nameOf(node.callee))) return true
  const isPromise = node.type === 'NewExpression' && nameOf(node.callee) === 'Promise'
  return children(node).some((child) => (isPromise || !isFunction(child)) && sleeps(child))
}

function isUntil(node: AnyNode): boolean {
  if (node.type === 'FunctionDeclaration') return node.id?.name === 'until'
  if (node.type !== 'VariableDeclarator' || nameOf(node.id) !== 'until') return false
  return isNode(node.init) && isFunction(node.init)
}

/** Found in every source with a wait. Other sources are not parsed, which would take seconds. */
const SUSPECT = /\b(?:function|const|let) until\b|\b(?:setTimeout|delay|sleep)\(/

/** Returns the waits of a TypeScript source, in order. */
export function testWaits(text: string): readonly TestWait[] {
  if (!SUSPECT.test(text)) return []
  // Types become blanks, so that lines stay where they are.
  const program = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  })
  const waits: TestWait[] = []
  const visit = (node: AnyNode, isInLoop: boolean): void => {
    const line = node.loc?.start.line ?? 0
    if (isUntil(node)) waits.push({ kind: 'until', line })
    if (node.type === 'AwaitExpression' && sleeps(node.argument))
      waits.push({ kind: isInLoop ? 'loop' : 'sleep', line })
    // A function within a loop has a body of its own.
    const isLooping = LOOPS.includes(node.type) || (isInLoop && !isFunction(node))
    for (const child of children(node)) visit(child, isLooping)
  }
  visit(program, false)
  return waits
}
