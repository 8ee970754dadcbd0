import { useTranslations } from 'use-intl';
import { CopyField } from '@/components/ui/copy/copy-field';

interface HardwareSetupProps {
  /** RTMP URL without TLS, which many hardware encoders do not support. */
  rtmpUrl: string;
}

/** Settings for hardware encoders, cameras and switchers. */
export function HardwareSetup({ rtmpUrl }: HardwareSetupProps) {
  const t = useTranslations('streams.hardwareSetup');
  const rows = [
    [t('video'), 'H.264 High, 1080p30, 4–6 Mbit/s CBR'],
    [t('keyframes'), t('keyframesValue')],
    [t('audio'), 'AAC, 48 kHz, 128 kbit/s'],
  ] as const;
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{t('howTo')}</p>
      <CopyField label={t('server')} value={rtmpUrl} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-2">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
