import { Button } from '@/components/ui/button';
import { DialogActions } from '@/components/ui/overlay/dialog';
import { CopyField } from './copy-field';

interface LinkToShareProps {
  label: string;
  url: string;
  /** Text of the button that closes the dialog. */
  doneLabel: string;
  onDone: () => void;
}

/** The last step of a dialog that created a link. */
export function LinkToShare({ label, url, doneLabel: done, onDone }: LinkToShareProps) {
  return (
    <>
      <CopyField label={label} value={url} />
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          {done}
        </Button>
      </DialogActions>
    </>
  );
}
