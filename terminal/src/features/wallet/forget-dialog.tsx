// Asks for confirmation before the key of a test wallet is deleted.
import { ModalDialog } from '../../page/modal-dialog.tsx'
import * as text from './text.ts'

export const ForgetDialog = (
  props: Readonly<{ address: string; onClose: (isAgreed: boolean) => void }>,
) => (
  <ModalDialog label={text.forgetTitle} onClose={(value) => props.onClose(value === 'yes')}>
    <p>{text.forgetWarning(props.address)}</p>
    <form method="dialog">
      <div class="modal-actions">
        <button type="submit" value="no" autofocus>
          {text.staySignedIn}
        </button>
        <button type="submit" value="yes" class="primary">
          {text.signOutAndForget}
        </button>
      </div>
    </form>
  </ModalDialog>
)
