import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { DialogActions } from '@/components/ui/overlay/dialog';

/** The line for a .env file; the examples of the stream page read the same name. */
function envLine(secret: string): string {
  return `HEADWATER_API_KEY=${secret}`;
}

interface KeySecretProps {
  secret: string;
  /** A request that works as it is, with this secret. */
  command?: string | undefined;
  /** One more sentence under the fields. */
  note: string;
  onDone: () => void;
}

/** The secret in full, to be taken along now. */
export function KeySecret({ secret, command, note, onDone }: KeySecretProps) {
  return (
    <div className="grid gap-4">
      <CopyField label="Secret" value={secret} />
      <CopyField label="Line for .env" value={envLine(secret)} />
      {command !== undefined && (
        <div>
          <div className="text-ink-2 mb-1.5 text-sm">Try it</div>
          <CodeBlock label="Try it" code={command} wrap />
        </div>
      )}
      <p className="text-ink-2 text-sm">{note}</p>
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
