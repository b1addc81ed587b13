// Asks for confirmation before the key of a test wallet is deleted.
import { ModalDialog } from '../../page/modal-dialog.tsx'

export const ForgetDialog = (
  props: Readonly<{ address: string; onClose: (isAgreed: boolean) => void }>,
) => (
  <ModalDialog
    label="Sign out and forget this test wallet?"
    onClose={(value) => props.onClose(value === 'yes')}
  >
    <p>
      The key of {props.address} is kept in this browser alone. Once it is forgotten nobody can
      reach its test money, its positions or its orders again; orders stay in the book.
    </p>
    <form method="dialog">
      <div class="modal-actions">
        <button type="submit" value="no" autofocus>
          Stay signed in
        </button>
        <button type="submit" value="yes" class="primary">
          Sign out and forget it
        </button>
      </div>
    </form>
  </ModalDialog>
)
