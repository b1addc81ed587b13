// Generates shell completion scripts from the commands.
import type { Argument, Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A command with the words that may follow it. */
type CommandNode = Readonly<{
  /** Path of names below the program: `['keys', 'new']`. */
  path: readonly string[]
  summary: string
  commands: readonly CommandNode[]
  /** Choices of arguments with a fixed set of values. */
  choices: readonly string[]
  options: readonly Flag[]
}>
type Flag = Readonly<{
  name: string
  summary: string
  takesValue: boolean
  choices: readonly string[]
}>

/** Returns the completion script of a shell. */
export function completionScript(program: Command, shell: Shell): string {
  const root = readNode(program, [], program.options.map(readFlag))
  const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](root)
  return `# Completes the commands of openvenue in ${shell}.\n${script}`
}

function readNode(command: Command, path: readonly string[], common: readonly Flag[]): CommandNode {
  const options = path.length === 0 ? [] : command.options.map(readFlag)
  const commands = command.commands.map((sub) => readNode(sub, [...path, sub.name()], common))
  return {
    path,
    summary: command.description(),
    commands,
    choices: command.registeredArguments.flatMap(({ argChoices }: Argument) => argChoices ?? []),
    options: [...options, ...common, HELP],
  }
}

const HELP: Flag = { name: '--help', summary: 'show help', takesValue: false, choices: [] }

const readFlag = ({ long, description, required, argChoices }: Option): Flag => ({
  name: long ?? '',
  summary: description,
  takesValue: required,
  choices: argChoices ?? [],
})

const allNodes = (node: CommandNode): CommandNode[] => [node, ...node.commands.flatMap(allNodes)]
const pathText = ({ path }: CommandNode): string => path.join(' ')
const wordsAfter = ({ commands, choices, options }: CommandNode): string =>
  [...commands.map(({ path }) => path.at(-1)), ...choices, ...options.map(({ name }) => name)].join(
    ' ',
  )

/** Returns lines of a shell `case`: the words after each command. */
const wordCases = (root: CommandNode, line: (words: string) => string): string[] =>
  allNodes(root).map((node) => `    '${pathText(node)}') ${line(wordsAfter(node))} ;;`)

/** Returns lines of a `case`: the values of each option that takes one. */
const valueCases = (root: CommandNode, line: (words: string) => string): string[] =>
  allNodes(root).flatMap((node) =>
    node.options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, choices }) => `    '${pathText(node)}|${name}') ${line(choices.join(' '))} ;;`),
  )

/** Returns lines of a `case` that determine the command typed so far. */
const pathCases = (root: CommandNode): string[] =>
  allNodes(root)
    .filter(({ path }) => path.length > 0)
    .map((node) => `      '${pathText(node)}') at="\${at:+$at }$word" ;;`)

function bashScript(root: CommandNode): string {
  const reply = (words: string) => `COMPREPLY=($(compgen -W '${words}' -- "$current"))`
  return `_openvenue() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" at='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${at:+$at }$word" in
${pathCases(root).join('\n')}
    esac
  done
  case "$at|$previous" in
${valueCases(root, (words) => `${reply(words)}; return`).join('\n')}
  esac
  case "$at" in
${wordCases(root, reply).join('\n')}
  esac
}
complete -o default -F _openvenue openvenue
`
}

function zshScript(root: CommandNode): string {
  return `_openvenue() {
  local at='' word previous="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
${pathCases(root).join('\n')}
    esac
  done
  case "$at|$previous" in
${valueCases(root, (words) => `compadd -- ${words}; return`).join('\n')}
  esac
  case "$at" in
${wordCases(root, (words) => `compadd -- ${words}`).join('\n')}
  esac
}
compdef _openvenue openvenue
`
}

function fishScript(root: CommandNode): string {
  const lines = allNodes(root).flatMap((node) => {
    const when = fishCondition(node)
    const start = `complete -c openvenue -f -n "${when}"`
    return [
      ...node.commands.map((sub) => `${start} -a ${sub.path.at(-1)} -d ${fishText(sub.summary)}`),
      ...(node.choices.length > 0 ? [`${start} -a '${node.choices.join(' ')}'`] : []),
      ...node.options.map((flag) => `${start} ${fishOption(flag)}`),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** Matches if all words of the path and none of the subcommands are typed. */
function fishCondition({ path, commands }: CommandNode): string {
  const there = path.map((name) => `__fish_seen_subcommand_from ${name}`)
  const below = commands.map((sub) => sub.path.at(-1)).join(' ')
  const ends = below === '' ? [] : [`not __fish_seen_subcommand_from ${below}`]
  return [...there, ...ends].join('; and ')
}

const fishOption = ({ name, summary, takesValue, choices }: Flag): string =>
  [
    `-l ${name.replace(/^--/, '')}`,
    ...(takesValue ? ['-r'] : []),
    ...(choices.length > 0 ? [`-a '${choices.join(' ')}'`] : []),
    `-d ${fishText(summary)}`,
  ].join(' ')

const fishText = (text: string): string => `'${text.replaceAll("'", "\\'")}'`
