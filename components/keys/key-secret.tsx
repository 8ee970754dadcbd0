import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyField } from '@/components/ui/copy/copy-field';
import { DialogActions } from '@/components/ui/overlay/dialog';

/** The line for a .env file; the examples of the stream page read the same variable. */
function envLine(secret: string): string {
  return `HEADWATER_API_KEY=${secret}`;
}

interface KeySecretProps {
  secret: string;
  /** An example request with this secret. */
  command?: string | undefined;
  /** Note below the fields. */
  note: string;
  onDone: () => void;
}

/** The full secret of an API key, for copying. */
export function KeySecret({ secret, command, note, onDone }: KeySecretProps) {
  const t = useTranslations('keys.keySecret');
  return (
    <div className="grid gap-4">
      <CopyField label={t('secret')} value={secret} />
      <CopyField label={t('lineForEnv')} value={envLine(secret)} />
      {command !== undefined && (
        <div>
          <div className="text-ink-2 mb-1.5 text-sm">{t('tryIt')}</div>
          <CodeBlock label={t('tryIt')} code={command} />
        </div>
      )}
      <p className="text-ink-2 text-sm">{note}</p>
      <DialogActions>
        <Button variant="primary" onClick={onDone}>
          {t('done')}
        </Button>
      </DialogActions>
    </div>
  );
}
