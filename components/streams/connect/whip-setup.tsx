import { useTranslations } from 'use-intl';
import { CopyField } from '@/components/ui/copy/copy-field';
import { mask, SecretField } from '@/components/ui/copy/secret-field';

interface WhipSetupProps {
  /** The stream key is appended after a slash. */
  whipUrl: string;
  streamKey: string;
}

/** Address for encoders that publish over WebRTC. */
export function WhipSetup({ whipUrl, streamKey }: WhipSetupProps) {
  const t = useTranslations('streams.whipSetup');
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t('howTo')}</p>
      <CopyField label={t('server')} value={whipUrl} />
      <SecretField label={t('token')} value={streamKey} />
      <CopyField
        label={t('wholeAddress')}
        value={`${whipUrl}/${streamKey}`}
        displayValue={`${whipUrl}/${mask(streamKey)}`}
      />
    </div>
  );
}
