// Asks before the key of a test wallet is forgotten.
import { ModalDialog } from '../shell/modal-dialog.tsx'
import { shorten } from './short-address.ts'

type ForgetProps = Readonly<{ address: string; onClose: (isAgreed: boolean) => void }>

export const ForgetDialog = (props: ForgetProps) => (
  <ModalDialog
    label="Sign out and forget this test wallet?"
    onClose={(value) => props.onClose(value === 'yes')}
  >
    <p>
      The key of {shorten(props.address)} is kept in this browser alone. Once it is forgotten nobody
      can reach its test money, its positions or its orders again; orders stay in the book.
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
