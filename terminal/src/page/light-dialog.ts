// Opens a dialog that a click outside closes, too.

/** `closedby` is newer than the types of Solid; other browsers close the dialog by Escape. */
export function openLightly(dialog: HTMLDialogElement | undefined): void {
  dialog?.setAttribute('closedby', 'any')
  dialog?.showModal()
}
