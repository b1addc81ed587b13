// What can be done by key or by name: one list, for the keys, their help and the palette.

export type Command = Readonly<{
  name: string
  /** A single key, as `KeyboardEvent.key` has it; absent: by name only. */
  key?: string
  run: () => void
}>

/**
 * A key means itself only where nobody types, and without a modifier. Nobody types Escape: it means
 * itself where it closes nothing.
 */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  const { target } = event
  if (!(target instanceof HTMLElement)) return true
  if (event.key === 'Escape')
    return (
      (target.closest('select') ?? document.querySelector(':popover-open, dialog[open]')) === null
    )
  return target.closest('input, select, textarea, dialog[open], [contenteditable]') === null
}

/** Returns the commands whose names have every word of a text in them. */
export function findCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/)
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}
