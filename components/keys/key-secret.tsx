import { Button } from '@/components/ui/button';
import { CopyField } from '@/components/ui/copy-field';
import { DialogActions } from '@/components/ui/dialog';
import { envLine } from './env-line';

interface KeySecretProps {
  secret: string;
  /** One more sentence under the fields. */
  note: string;
  onDone: () => void;
}

/** The secret in full, to be taken along now. */
export function KeySecret({ secret, note, onDone }: KeySecretProps) {
  return (
    <div className="grid gap-4">
      <CopyField label="Secret" value={secret} />
      <CopyField label="Line for .env" value={envLine(secret)} />
      <p className="text-ink-2 text-sm">{note}</p>
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
