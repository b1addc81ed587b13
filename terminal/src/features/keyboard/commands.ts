// Commands that are run by key or by name: one list for shortcuts, their help and the palette.

export type Command = Readonly<{
  name: string
  /** A single key, as in `KeyboardEvent.key`; absent for commands without a shortcut. */
  key?: string
  run: () => void
}>

/**
 * Returns true if a key press is a single-key shortcut: no modifier, and no input with focus.
 * Escape is never typed as text, so it counts wherever it closes nothing.
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

/** Returns the commands whose names contain every word of a text. */
export function findCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/)
  return commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}
